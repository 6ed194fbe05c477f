"""Local plans: what people do with their notifications, and their last day."""

import uuid

from stories import story


@story("local-plan")
def sees_what_people_did_with_a_local_notification(world):
    browser, path = world.browser, world.workspace.path
    plan = world.workspace.make("local-plans", {"name": "Pages reactions", "notifications": [
        {"identifier": "evening", "trigger": {"type": "calendar", "components": {"hour": 20}, "repeats": True},
         "content": {"aps": {"alert": {"title": "Bells at eight", "body": "Come and listen."}}}}]})
    address = f"{path}/devices/{world.workspace.ids['installation']}/local-events"
    named = [("evening", "opened"), ("evening", "opened"), ("gone", "dismissed")]
    answer = world.api.post(address, {"events": [
        {"id": str(uuid.uuid4()), "notification": f"{plan}/{name}", "version": 1, "kind": kind} for name, kind in named]})
    assert answer["stored"] == 3, answer

    browser.open(world.page(f"/local-plans/{plan}"))
    rows = browser.wait(lambda: browser.run("return [...document.querySelectorAll('main tbody tr')].map((each) => each.innerText.replace(/\\s+/g, ' ').trim())"), "the reactions")
    assert rows == ["Bells at eight 0 2 0 0", "gone (removed) 0 0 0 1"], rows

    browser.run("const field = arguments[0]; field.value = '2030-12-24'; field.dispatchEvent(new Event('input', { bubbles: true }))", browser.find("Last day", "field"))
    browser.press("Control+s")
    browser.wait(lambda: world.api.get(f"{path}/local-plans/{plan}")["notifications"][0].get("last_day") == "2030-12-24", "the last day to be stored")
    browser.run("document.querySelector('main table').scrollIntoView({ block: 'center' })")
    (browser.screens / "states").mkdir(exist_ok=True)
    browser.picture("states/local-plan-reactions-en-light")
