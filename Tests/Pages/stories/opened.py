"""Menus, dialogs and tips above a page are accessible, too."""

from accessibility import examine
from stories import story
from workspace import BODY


def look_at(browser, name):
    browser.place = f"opened {name}"
    examine(browser)
    browser.picture(f"opened-{name}")
    browser.inspect()


@story("campaigns", "segment", "devices", "editor")
def opens_menus_and_dialogs_that_everybody_can_use(world):
    browser = world.browser
    device = world.api.get(f"{world.workspace.path}/devices?limit=5")["data"][0]["installation"]
    world.api.send("PATCH", f"{world.workspace.path}/devices/{device}", {"is_test": True})
    # A page without buttons below the menu, whose size would be that of what the menu leaves of them.
    browser.open(world.page("/topics"))
    browser.click("demo@belfry.example")
    browser.see("Sign out")
    look_at(browser, "account-menu")
    browser.press("Escape")
    browser.open(world.page("/campaigns"))
    browser.press("Control+k")
    browser.see("Go to")
    browser.press("Pages draft")
    browser.wait(lambda: browser.run("return document.querySelectorAll('dialog [role=option]').length") > 0, "a result")
    browser.see("Pages draft")
    look_at(browser, "palette")
    browser.press("Escape")
    browser.press("?")
    browser.see("Single keys work")
    look_at(browser, "keys")
    browser.press("Escape")
    browser.open(world.page("/devices"))
    browser.click("Export")
    browser.see("Format")
    look_at(browser, "export")
    browser.press("Escape")
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['draft']}/content"))
    browser.click("Send a test")
    browser.wait(lambda: browser.has("Send to 1 phone"), "the test devices")
    look_at(browser, "test-push")
    browser.press("Escape")
    browser.click("2 Audience", "tab")
    browser.click("Condition", "button", "Devices")
    browser.fill("Language", "en", "Devices")
    browser.wait(lambda: browser.run("return document.querySelector('[aria-busy=false] .figure-large')"), "the count")
    browser.click("Move or remove (Alt with an arrow moves)", group="Condition")
    look_at(browser, "condition-menu")
    browser.press("Escape")
    browser.click("Save as segment")
    browser.see("Campaigns can share it.")
    look_at(browser, "save-as-segment")
    browser.press("Escape")


@story("segments", "template")
def asks_before_something_is_lost(world):
    browser = world.browser
    template = world.workspace.make("templates", {"name": "Pages to delete", "content": {"payload": BODY}})
    browser.open(world.page(f"/templates/{template}"))
    browser.click("More actions")
    look_at(browser, "template-menu")
    browser.click("Delete template")
    browser.see("The template and all its versions are deleted permanently.")
    look_at(browser, "question")
    browser.click("Go back")
    assert world.api.get(f"{world.workspace.path}/templates/{template}"), "it was deleted without an answer"
    # A term explains itself on hover.
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/report"))
    browser.run("document.querySelector('[data-term=accepted] dt [tabindex], [data-term=accepted] dt button, [data-term=accepted] dt abbr')?.focus()")
    look_at(browser, "term")


@story("campaigns", "templates", "segments", "devices", "categories", "topics", "local-plans")
def says_what_to_do_first_where_nothing_is(world):
    browser = world.browser
    app = world.api.post("/v1/apps", {"name": "Pages empty", "bundle_id": "com.example.empty", "default_locale": "en", "default_time_zone": "Europe/Berlin"})["id"]
    (browser.screens / "states").mkdir(exist_ok=True)
    try:
        browser.open(f"/a/{app}")
        for name in ("", "campaigns", "templates", "segments", "devices", "categories", "topics", "local-plans"):
            browser.place = f"{name or 'dashboard'}, empty"
            browser.follow(f"/a/{app}/{name}".rstrip("/"))
            browser.settle()
            browser.picture(f"states/{name or 'dashboard'}-empty-en-light")
            # The dashboard lists the first steps of a new app.
            strong = browser.run("return [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility()).map((each) => each.innerText)", "main .button.strong" if name else "main .button")
            assert len(strong) == 1 if name else "Add a key" in strong, f"offers {strong} as the first thing to do"
            browser.inspect()
        browser.follow(f"/a/{app}/campaigns?q=moon")
        browser.see("Nothing matches “moon”.")
        browser.see("Clear the search")
    finally:
        browser.driver.get("about:blank")
        world.api.send("DELETE", f"/v1/apps/{app}")
