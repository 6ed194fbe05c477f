"""Devices that come from a file and go into one."""

import uuid

from accessibility import examine
from files import arrived
from stories import story

GOOD, BAD = 30, 3
HEADER = "installation,token,environment,authorization_status,locale,tags\r\n"
# Bytes a second at which the progress can be seen.
SLOW = 4_000


@story("devices", "import")
def says_what_the_columns_of_a_foreign_file_are(world):
    browser, tag = world.browser, f"pages-{uuid.uuid4().hex[:6]}"
    file = world.server.folder / f"{tag}.csv"
    rows = [f"{uuid.uuid4().hex * 2};Anna;\"München; Süd\";{number}" for number in range(5)]
    file.write_bytes("\r\n".join(["Push Token;Vorname;Stadt;Umsatz", *rows, "not hexadecimal;Ben;Bonn;7"]).encode("cp1252"))
    browser.open(world.page("/devices/import"))
    browser.give(file)
    browser.see("Some lines are not UTF-8.")
    browser.click("Read it as Windows-1252 (Western Europe)")
    browser.see("München; Süd")
    browser.choose("Use of the column Vorname", "Attribute of the person…")
    browser.choose("Use of the column Stadt", "Attribute of the device…")
    browser.fill("Name of the attribute of Stadt", tag)
    browser.choose("Use of the column Umsatz", "Attribute of the device…")
    browser.choose("Type of the attribute of Umsatz", "Number")
    browser.see("1 line doesn’t fit")
    examine(browser)
    browser.picture("import-columns")
    browser.look(390, 844)
    browser.picture("import-columns-390")
    browser.look()
    browser.click("Import 5 devices")
    browser.see("is imported, without the refused lines")
    browser.picture("import-report")
    browser.click("Import another file")


@story("devices", "import")
def imports_a_file_with_bad_lines_and_exports_the_good_ones(world):
    browser, tag = world.browser, f"pages-{uuid.uuid4().hex[:6]}"
    folder = world.server.folder / tag
    folder.mkdir()
    browser.downloads(folder)
    # Denied: no other story sends anything to them.
    good = [f"{tag}-{number},{uuid.uuid4().hex * 2},production,denied,sw,{tag}" for number in range(GOOD)]
    bad = [f"{tag}-bad-{number},not hexadecimal,production,denied,sw,{tag}" for number in range(BAD)]
    lines = [*good[:10], *bad, *good[10:]]
    file = folder / "devices.csv"
    file.write_text(HEADER + "\r\n".join(lines) + "\r\n", encoding="utf-8", newline="")
    browser.open(world.page("/devices/import"))
    browser.give(file)
    browser.see("First values")
    browser.see(f"{BAD} would be refused")
    browser.command("Network.enable")
    browser.command("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=SLOW)
    browser.click(f"Import {GOOD} devices")
    browser.see("You may leave this page")
    browser.picture("import-running")
    browser.command("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.see("devices.csv is imported, without the refused lines")
    figures = browser.run("return document.querySelector('.figures').innerText").split()
    assert str(GOOD) in figures and str(BAD) in figures, figures
    refused = browser.run("return [...document.querySelectorAll('main table tbody tr')].map((row) => row.cells[0].innerText)")
    # The first line names the columns.
    assert refused == ["12", "13", "14"], refused
    browser.click(f"Download {BAD} lines with reasons")
    report = arrived(browser, folder / "refused-devices.csv").splitlines()
    assert len(report) == 1 + BAD and report[0].startswith("line,reason,installation"), report
    assert all("not hexadecimal" in line for line in report[1:]), report
    stored = world.api.get(f"{world.workspace.path}/devices?tag={tag}&limit=200")["data"]
    assert len(stored) == GOOD, f"{len(stored)} devices are stored"

    # A file of refused lines needs no change of its columns.
    browser.click("Import another file")
    browser.give(folder / "refused-devices.csv")
    browser.see(f"{BAD} would be refused")
    browser.click("Choose another file")
    browser.open(world.page("/devices"))
    browser.settle()
    browser.fill("Tag", tag)
    browser.wait(lambda: browser.path().endswith(f"tag={tag}"), "the filter in the address")
    browser.settle()
    browser.click("Export")
    browser.see("The file has the devices that match the present filters.")
    browser.click("Download CSV")
    exported = arrived(browser, folder / "devices.csv", not_this=file.read_bytes().decode()).splitlines()
    assert len(exported) == 1 + GOOD, f"{len(exported)} lines instead of {1 + GOOD}"
    assert all(any(f"{tag}-{number}," in line for line in exported) for number in range(GOOD)), exported[:3]


@story("person")
def takes_the_word_of_somebody_who_wants_no_campaigns(world):
    browser, user = world.browser, world.workspace.ids["user"]
    kept = lambda: world.api.get(f"{world.workspace.path}/people/{user}")["opt_outs"]
    browser.open(world.page(f"/people/{user}"))
    browser.choose("Add an opt-out…", "All campaigns")
    browser.see("Gets no more campaigns.")
    assert kept() == ["*"], kept()
    browser.settle()
    examine(browser)
    browser.picture("person-without-campaigns")
    browser.click("Remove All campaigns")
    browser.click("The person asked for it")
    browser.see("Gets campaigns again.")
    assert kept() == [], kept()
