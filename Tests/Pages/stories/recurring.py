"""The schedule of a campaign that is sent again and again."""

from stories import story
from workspace import BODY

DAILY = {"kind": "recurring", "rule": "FREQ=DAILY;COUNT=3", "from": "2030-01-01T09:00:00", "time_zone": "Europe/Berlin"}


@story("report", "campaigns", "editor")
def skips_pauses_and_resumes_a_recurring_campaign(world):
    browser, workspace = world.browser, world.workspace
    campaign = workspace.make("campaigns", {"name": "Pages every morning", "payload": BODY, "schedule": DAILY})
    path = f"{workspace.path}/campaigns/{campaign}"
    world.api.post(f"{path}/schedule")
    state = lambda: world.api.get(path)["state"]
    first = world.api.get(path)["next_at"]

    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.click("Schedule", "summary")
    browser.picture("schedule-menu")
    browser.click("Skip the next time…")
    browser.see("Nobody gets it at that time.")
    browser.picture("schedule-skip")
    browser.click("Skip this time")
    browser.see("Skipped. The next time is")
    second = world.api.get(path)["next_at"]
    assert second > first, (first, second)

    browser.click("Schedule", "summary")
    browser.click("Pause the schedule")
    browser.see("nothing starts until somebody resumes it")
    assert state() == "paused"
    browser.picture("schedule-paused")
    # Each page that shows the campaign says so, and can go on.
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.see("nothing starts until somebody resumes it")
    browser.click("Resume the schedule")
    browser.see("The schedule is resumed. The next time is")
    assert state() == "scheduled"
    assert world.api.get(path)["next_at"] == second, "what was skipped is back"

    browser.open(world.page("/campaigns?q=Pages+every+morning"))
    browser.click("Actions of Pages every morning", "summary")
    browser.click("Pause the schedule")
    browser.see("Schedule paused")
    browser.click("Undo")
    browser.wait(lambda: state() == "scheduled", "the schedule to go on")

    # The last time ends the schedule.
    for _ in range(2):
        world.api.post(f"{path}/skip")
    assert state() == "sent", state()
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Its schedule ended before it was sent")
    assert not browser.sees("Pause the schedule")
    browser.open(world.page(f"/campaigns/{workspace.campaigns['cancelled']}/report"))
    browser.see("Cancelled before it was sent")
    assert not browser.has("Continue editing"), "a cancelled campaign is shown as a draft"
    world.api.post(f"{path}/archive")
