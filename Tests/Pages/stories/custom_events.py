"""Custom events: from a reported name to what it means, and how often it happens."""

import uuid

from accessibility import examine
from stories import story


@story("custom-events")
def says_what_an_event_means(world):
    """The demo's people buy."""
    browser = world.browser
    path = f"{world.workspace.path}/custom-event-names/purchase"
    browser.open(world.page("/custom-events"))
    examine(browser)
    browser.picture("custom-events")
    browser.click("purchase", "button")
    browser.see("in all; the most on")
    browser.fill("Description", "A ticket was bought; the value is its price.")
    assert browser.value("Counts as a conversion") == "3", "the demo's purchases are conversions"
    browser.choose("Counts as a conversion", "Within 2 days after a push")
    examine(browser)
    browser.picture("custom-event")
    browser.click("Save", "button")
    browser.wait(lambda: world.api.get(path)["description"] == "A ticket was bought; the value is its price.", "the description on the server")
    browser.see("A ticket was bought; the value is its price.")
    browser.see("Conversion within 2 days after a push")
    assert world.api.get(path)["conversion_days"] == 2
    browser.click("purchase", "button")
    browser.see("Campaigns that led to it")
    browser.click("Close", "button")
    count = world.api.get(path)["last_30_days"]["count"]
    assert count > 0, "nobody has bought"
    browser.see(f"{count:,}")
    for theme, language in (("dark", "zh"),):
        browser.visit(world.server.url, world.cookie, language=language)
        browser.look(theme=theme, width=390)
        browser.open(world.page("/custom-events"))
        browser.picture(f"custom-events-{language}-{theme}-390")
    browser.look()
    browser.visit(world.server.url, world.cookie)


@story("custom-events")
def deletes_a_name_that_was_a_mistake(world):
    browser, path = world.browser, world.workspace.path
    world.api.post(f"{path}/custom-events", {"events": [{"id": str(uuid.uuid4()), "name": "purchse", "user_id": "ada"}]})
    browser.open(world.page("/custom-events"))
    browser.click("purchse", "button")
    browser.click("Delete…", "button")
    browser.see("Delete “purchse” and its events?")
    browser.picture("custom-event-delete")
    browser.click("Delete", "button")
    browser.see("Deleted.")
    browser.wait(lambda: not browser.has("purchse", "button"), "the name to be gone")
    assert "purchse" not in [each["name"] for each in world.api.get(f"{path}/custom-event-names")["data"]]
