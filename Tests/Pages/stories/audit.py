"""The audit log: who did what, and what it changed."""

import uuid

from stories import story

SHOWN = "return [...document.querySelectorAll('.audit-what')].map((each) => each.innerText)"


@story("audit", "campaign")
def finds_who_changed_a_campaign_and_what(world):
    browser, workspace, name = world.browser, world.workspace, f"Pages {uuid.uuid4().hex[:6]}"
    campaign = workspace.make("campaigns", {"name": name, "payload": {"aps": {"alert": {"title": "Evening bells", "body": "At eight."}}}})
    world.api.send("PATCH", f"{workspace.path}/campaigns/{campaign}", {"payload": {"aps": {"alert": {"title": "Last bells", "body": "At eight."}}}, "audience": {"include": {"tag": "vip"}}})
    browser.open(world.page("/audit"))
    browser.see(f"Changed campaign “{name}”")
    browser.see(f"Created campaign “{name}”")
    before = len(browser.run(SHOWN))

    browser.choose("About", "Campaigns")
    browser.choose("Action", "Changed")
    browser.wait(lambda: "action=campaigns.update" in browser.path(), "the filter in the address")
    shown = lambda: browser.run(SHOWN)
    browser.wait(lambda: 0 < len(shown()) < before and all(each.startswith("Changed campaign") for each in shown()), lambda: f"changed campaigns alone; there are {shown()}")
    browser.run("document.querySelector('.audit-toggle').click()")
    browser.see("Last bells")
    rows = browser.run("return [...document.querySelectorAll('.audit-changes tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.split('\\n')[0]))")
    assert ["Title", "Evening bells", "Last bells"] in rows, rows
    assert ["Audience", "Everyone", "Devices where the tag vip is set."] in rows, rows
    assert not any("Text" in row for row in rows), f"what stayed is listed: {rows}"
    browser.picture("audit-entry")

    address = browser.path()
    assert "entry=" in address, address
    browser.open(address)
    browser.see("Last bells")
    browser.click(f"campaign “{name}”", "link")
    browser.wait(lambda: f"/campaigns/{campaign}" in browser.path(), "the campaign's page")


@story("audit")
def shows_sign_ins_of_the_whole_server_by_person_and_day(world):
    browser = world.browser
    browser.open(world.page("/audit"))
    assert "Signed in" not in browser.run(SHOWN), "sign-ins belong to no app"
    browser.click("Whole server")
    browser.wait(lambda: "scope=all" in browser.path(), "the extent in the address")
    browser.settle()
    browser.press("/")
    browser.wait(lambda: browser.focused().startswith("E-mail or key"), "the focus in the search")
    browser.press("demo@belfry")
    browser.wait(lambda: "actor=demo" in browser.path(), "the person in the address")
    browser.settle()
    browser.choose("About", "Sign-ins")
    browser.settle()
    browser.wait(lambda: set(browser.run(SHOWN)) == {"Signed in"}, "the sign-ins")
    browser.open(f"{world.page('/audit')}?scope=all&until=2020-01-01")
    browser.see("No record matches the filters")
    browser.run("document.querySelector('.empty button').click()")
    browser.wait(lambda: browser.run(SHOWN), "the records")
    browser.see("belfry audit verify")
