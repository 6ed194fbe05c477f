"""Nothing that is edited is lost by accident, and what failed goes on."""

from stories import story
from stories.away import be_offline
from workspace import BODY, GREETING


@story("template")
def asks_before_changes_are_discarded_and_brings_them_back(world):
    browser = world.browser
    template = world.workspace.make("templates", {"name": "Pages discarded", "content": {"payload": GREETING}})
    browser.open(world.page(f"/templates/{template}"))
    badge = lambda: browser.run("return document.querySelector('.locale-tabs .tab-badge') !== null")
    with browser.expecting("422"):
        browser.fill("Title", "Hi {{ first_name")
        browser.wait(badge, "the error in the tab")
        browser.click("More actions")
        browser.click("Discard changes…")
        browser.see("Discard the changes?")
        browser.see("Not kept: Title.")
        browser.picture("discard-question")
        browser.click("Discard 1 change")
        browser.wait(lambda: browser.value("Title") == "Evening bells", "the title as it was")
        browser.wait(lambda: not badge(), "the error to go")
        box = browser.wait(lambda: browser.run("const toast = document.querySelector('.toast')?.getBoundingClientRect(); return toast && [toast.left, toast.width, toast.bottom]"), "the message")
        assert box[0] > 200 and box[1] <= 360, f"the message is at {box}"
        browser.picture("discarded")
        browser.click("Undo")
        browser.wait(lambda: browser.value("Title") == "Hi {{ first_name", "the change to be back")


@story("editor")
def loads_a_step_that_failed_while_the_server_was_away(world):
    browser = world.browser
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['draft']}/content"))
    with browser.expecting("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK", "dynamically imported module"):
        be_offline(browser, True)
        browser.click("3 Schedule", "tab")
        browser.see("A part of this page could not be loaded.")
        be_offline(browser, False)
        browser.see("Schedule")


@story("report", "campaigns")
def offers_to_unschedule_in_the_report_and_in_the_list(world):
    browser = world.browser
    planned = world.workspace.make("campaigns", {"name": "Pages unscheduled", "payload": BODY, "schedule": {"kind": "local", "at": "2030-01-01T18:00:00"}})
    path = f"{world.workspace.path}/campaigns/{planned}"
    world.api.post(f"{path}/schedule")
    browser.open(world.page(f"/campaigns/{planned}/report"))
    browser.click("Schedule", "button")
    browser.click("Unschedule")
    browser.wait(lambda: world.api.get(path)["state"] == "draft", "the draft")
    world.api.post(f"{path}/schedule")
    browser.open(world.page("/campaigns?q=Pages+unscheduled"))
    browser.click("Actions of Pages unscheduled")
    browser.click("Unschedule")
    browser.wait(lambda: world.api.get(path)["state"] == "draft", "the draft again")
