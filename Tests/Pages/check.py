"""Checks the admin pages in a browser; Scripts/checks/pages runs it. Arguments: path of belfry, then names of stories."""

import signal
import sys
import time

import modules
import speed
import stories
import texts
import walk
from api import API
from browser import Browser
from server import ROOT, Server
from workspace import Workspace

PUBLIC = ROOT / "Public"
SCREENS = ROOT / ".build" / "screens"
DEVICES = 200
LANGUAGE_MODULES = """
const done = arguments[arguments.length - 1];
Promise.all([import("/js/text/en.js"), import("/js/text/zh.js")]).then((all) => done(all.map((each) => each.default)), (error) => done(String(error)));
"""


def check(belfry, wanted):
    SCREENS.mkdir(parents=True, exist_ok=True)
    server = Server(belfry, "demo", "--devices", str(DEVICES))
    browser = None
    try:
        browser = Browser(server.folder / "chromium", SCREENS)
        browser.url = server.url
        return check_all(belfry, server, browser, wanted)
    finally:
        if browser:
            browser.quit()
        server.stop()


def check_all(belfry, server, browser, wanted):
    """Prints what was found, or one line. Returns the exit status."""
    cookie = browser.enter(server.link)
    browser.open("/styles")
    english, chinese = browser.driver.execute_async_script(LANGUAGE_MODULES)
    browser.learn_texts(english)
    browser.findings += texts.check_files(PUBLIC, english, chinese)
    pages = modules.import_all(browser, PUBLIC)
    workspace = Workspace(API(server.url, server.create_key()))
    world = stories.World(belfry, server, browser, workspace, cookie)
    there = {module for _, module in pages}
    told = [function for function, needs in stories.load() if there.issuperset(needs) and wanted_by(wanted, function.__name__)]
    for function in told:
        print(f"  {stories.tell(world, function):5.1f} s  {function.__name__.replace('_', ' ')}", flush=True)
    pictures = 0
    if not wanted:
        began = time.monotonic()
        pictures = walk.walk(browser, walk.places(pages, workspace), cookie)
        print(f"  {time.monotonic() - began:5.1f} s  {pictures} pictures in {SCREENS.relative_to(ROOT)}", flush=True)
        if "campaigns" in there:
            print(f"         {speed.measure(browser, world.page('/campaigns'), cookie)}", flush=True)
    if errors := server.errors():
        browser.findings.append(f"the server logged: {errors}")
    for finding in browser.findings:
        print(finding)
    found = f"{len(browser.findings)} findings" if browser.findings else "no finding"
    print(f"{len(pages)} pages, {pictures} screenshots, {len(told)} stories, {found}")
    return 1 if browser.findings else 0


def wanted_by(wanted, name):
    return not wanted or any(each in name for each in wanted)


def stop_on_signal(number, _):
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop_on_signal)
    sys.exit(check(sys.argv[1], sys.argv[2:]))
