"""Measures how quickly a page is there for a reader who has never been here and whose line has a latency.

The line's rate is not emulated: Chromium 156 then holds back all answers for 65,536 packets' time, 79 seconds at
10 Mbit/s, in about one load of ten. The bytes of a page have a limit of their own instead.
"""

LATENCY_MILLISECONDS = 40
# The aim is a second and 300 KB; the time has room for a machine that does other things as well.
MOST_MILLISECONDS = 4_000
MOST_BYTES = 300_000
MOST_SHIFT = 0.005

FIGURES = """
const loads = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
const { headingAt, shifted, shifts } = window.belfryTest;
return { headingAt, shifted, shifts, files: loads.length, bytes: loads.reduce((sum, each) => sum + each.transferSize, 0) };
"""


def measure(browser, url, path, cookie):
    """Loads the page with an empty cache and returns what it took, as a sentence."""
    browser.place = f"speed of {path}"
    browser.look()
    browser.visit(url, cookie)
    browser.command("Network.enable")
    browser.command("Network.clearBrowserCache")
    emulate_latency(browser, LATENCY_MILLISECONDS)
    try:
        browser.open(path)
        figures = browser.run(FIGURES)
    finally:
        emulate_latency(browser, 0)
    browser.inspect()
    if figures["headingAt"] > MOST_MILLISECONDS:
        browser.find_fault(f"the heading was there after {figures['headingAt']:.0f} ms")
    if figures["bytes"] > MOST_BYTES:
        browser.find_fault(f"{figures['bytes']} bytes were transferred")
    if figures["shifted"] > MOST_SHIFT:
        browser.find_fault(f"the layout shifted by {figures['shifted']:.3f}: {figures['shifts'][:3]}")
    return (f"{path}: heading after {figures['headingAt']:.0f} ms, {figures['bytes'] / 1000:.0f} KB in {figures['files']} files, "
        f"layout shift {figures['shifted']:.3f}")


def emulate_latency(browser, milliseconds):
    browser.command(
        "Network.emulateNetworkConditions", offline=False, latency=milliseconds, downloadThroughput=-1, uploadThroughput=-1)
