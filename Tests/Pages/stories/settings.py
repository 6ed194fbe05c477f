"""The settings of an app: problems are shown at their fields, and nothing is removed unasked."""

import uuid
from contextlib import contextmanager

from answers import answering
from stories import story

INPUT = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', { bubbles: true }));"


@contextmanager
def own_app(world):
    """An app whose settings no other story feels."""
    tag = uuid.uuid4().hex[:6]
    app = world.api.post("/v1/apps", {"name": f"Settings {tag}", "bundle_id": f"com.example.settings.a{tag}"})
    try:
        yield app
    finally:
        world.api.delete(f"/v1/apps/{app['id']}")


@story("app")
def shows_problems_of_settings_at_their_fields(world):
    browser, rules = world.browser, "Rules for sending"
    with own_app(world) as app:
        stored = lambda: world.api.get(f"/v1/apps/{app['id']}")
        browser.open(f"/a/{app['id']}/app")
        browser.click("Quiet hours", "check")
        browser.run(INPUT, browser.find("To", "field"), "22:00")
        browser.click("Frequency cap", "check")
        browser.fill("At most", "0")
        with browser.expecting("422 ("):
            browser.click("Save", group=rules)
            browser.see("Choose another time than the first one, or switch the quiet hours off.")
            browser.see("Enter a number from 1 to 100.")
        browser.picture("settings-problems")
        browser.run(INPUT, browser.find("To", "field"), "07:30")
        browser.fill("At most", "2")
        browser.click("is skipped", "check")
        browser.fill("Most pushes per second", "250")
        browser.click("Save", group=rules)
        browser.see("Saved.")
        assert stored()["quiet_hours"] == {"from": "22:00", "to": "07:30", "policy": "skip"}, stored()
        assert stored()["frequency_cap"] == {"count": 2, "days": 7} and stored()["pushes_per_second"] == 250, stored()

        # Each section saves with the version that it has seen, and joins its changes to those of the others.
        with browser.expecting("412 (", "409 (", "422 ("):
            browser.click("Identity verification", "check")
            browser.click("Save", group="Registration of devices")
            browser.wait(lambda: "Make an identity key below first" in problems(browser, "Registration of devices"), "what identity verification needs")
            browser.fill("Message ID", "aps")
            browser.click("Save", group="Names in the payload")
            browser.wait(lambda: problems(browser, "Names in the payload"), "the problem of the name")
            browser.fill("Message ID", "message")
            browser.click("Save", group="Names in the payload")
            browser.wait(lambda: stored()["message_id_key"] == "message", "the name to be stored")


@story("app")
def asks_before_a_shorter_retention_removes_records(world):
    browser, group = world.browser, "Retention"
    would = {"events": {"count": 12_340, "cutoff_at": "2026-05-03T00:00:00Z"}, "replies": {"count": 41, "cutoff_at": "2026-05-03T00:00:00Z"},
             "custom_events": {"count": 0, "cutoff_at": None}, "recipients": {"runs": 0, "count": 0, "cutoff_at": None}}
    with own_app(world) as app:
        stored = lambda: world.api.get(f"/v1/apps/{app['id']}")["retention"]
        real = world.api.get(f"/v1/apps/{app['id']}/retention/preview?event_days=31&reply_days=1&recipient_days=91")
        assert {name: set(part) for name, part in real.items()} == {name: set(part) for name, part in would.items()}, real
        # A new app has nothing that could go.
        browser.open(f"/a/{app['id']}/app")
        browser.click("Remove old recipients", "check")
        browser.see("This would remove nothing now.")
        browser.click("Save", group=group)
        browser.see("Saved.")
        assert stored() == {"event_days": None, "reply_days": None, "recipient_days": 365, "custom_event_days": None}, stored()
        with answering(browser, "/retention/preview", would):
            browser.open(f"/a/{app['id']}/app")
            browser.click("Remove old events", "check")
            browser.fill("Keep events for", "90")
            browser.see("This would remove 12,340 events from before 3 May")
            browser.picture("settings-retention")
            browser.click("Save", group=group)
            browser.see("Remove these records permanently?")
            browser.see("41 replies from before 3 May")
            browser.click("Go back")
            assert stored()["event_days"] is None, "it was saved without the typed name"
            browser.click("Save", group=group)
            browser.fill(f"Type {app['name']} to remove them.", app["name"])
            browser.click("Save and remove")
            browser.see("Saved.")
        assert stored() == {"event_days": 90, "reply_days": None, "recipient_days": 365, "custom_event_days": None}, stored()
        browser.open(f"/a/{app['id']}/app")
        with browser.expecting("400 (", "422 ("):
            browser.fill("Keep events for", "3")
            browser.see("Enter a number from 31 to 3,650.")
            browser.click("Save", group=group)
            browser.see("Enter a number from 31 to 3,650.")
        assert stored()["event_days"] == 90, stored()


def problems(browser, section):
    """The problems that are shown at the fields of a section."""
    return browser.run("return [...document.querySelectorAll(`section[aria-label='${arguments[0]}'] .field-help.danger`)].map((each) => each.innerText).join(' ')", section)
