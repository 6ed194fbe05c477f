"""Typed text is never lost, and never takes the place of what somebody else wrote."""

from interception import Interception
from stories import story
from workspace import BODY


def draft(world, name):
    return world.workspace.make("campaigns", {"name": name, "payload": BODY})


def payload(world, campaign):
    found = world.api.get(f"{world.workspace.path}/campaigns/{campaign}")
    return (found["payload"] or found["content"]["payload"])["aps"]["alert"]


@story("editor")
def keeps_a_draft_through_a_reload(world):
    browser, campaign = world.browser, draft(world, "Pages reload")
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    # The console may tell of the last refused request when others are let through again.
    with browser.expecting("ERR_CONNECTION_REFUSED"):
        with Interception(browser) as interception:
            # It can't be saved.
            interception.answer = "read-only"
            browser.fill("Title", "Typed and loaded anew")
            browser.see("Not saved, kept in this browser. Trying again.")
            browser.picture("editor-kept")
            browser.reload()
            browser.wait(lambda: browser.value("Title") == "Typed and loaded anew", lambda: f"the title to be back; it is {browser.value('Title')}")
            assert payload(world, campaign)["title"] != "Typed and loaded anew", "it was saved before the reload"
        browser.wait(lambda: payload(world, campaign)["title"] == "Typed and loaded anew", "the title to be saved")


@story("editor")
def keeps_the_focus_in_the_name_while_the_content_loads(world):
    browser, campaign = world.browser, draft(world, "Pages late step")
    browser.open(world.page("/campaigns"))
    with Interception(browser, [{"urlPattern": "*/js/editor/content.js*"}]) as interception:
        interception.answer = "slow"
        browser.run("document.querySelector(`main a[href$='" + campaign + "/content']`).click()")
        browser.click("Rename")
        browser.fill("Name of the campaign", "Typed while it loads")
        assert interception.held, "the step was there already"
    browser.find("Title", "field")
    assert browser.run("return document.activeElement.matches('.name-input')"), "the step took the focus from the name"
    browser.press("Enter")
    browser.wait(lambda: browser.run("return document.querySelector('main h1').innerText") == "Typed while it loads", "the name to be there")


@story("editor")
def shows_a_conflict_and_overwrites_nothing(world):
    browser, campaign = world.browser, draft(world, "Pages conflict")
    path = f"{world.workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.see("Saved")
    world.api.send("PATCH", path, {"payload": {"aps": {"alert": {**BODY["aps"]["alert"], "title": "Theirs"}}}})
    with browser.expecting("412 (Precondition Failed)"):
        browser.fill("Title", "Mine")
        browser.see("You both changed the same fields.")
        browser.see("Keep mine: Mine")
        browser.see("Take theirs: Theirs")
        assert payload(world, campaign)["title"] == "Theirs", "theirs was overwritten"
        assert browser.value("Title") == "Mine", "mine was overwritten"
        browser.picture("editor-conflict")
    # It can't be sent before it is decided.
    browser.click("4 Review", "tab")
    browser.see("Decide first which change counts.")
    browser.click("1 Content", "tab")
    browser.click("Take theirs: Theirs")
    browser.wait(lambda: browser.value("Title") == "Theirs", "their title in the form")
    assert payload(world, campaign)["title"] == "Theirs"
    # A change of one side only is merged and named.
    world.api.send("PATCH", path, {"payload": {"aps": {"alert": {"title": "Theirs", "body": "Their text."}}}})
    with browser.expecting("412 (Precondition Failed)"):
        browser.fill("Title", "Mine again")
        browser.see("This page now has their change of")
        browser.wait(lambda: payload(world, campaign) == {"title": "Mine again", "body": "Their text."}, lambda: f"both changes; it is {payload(world, campaign)}")
