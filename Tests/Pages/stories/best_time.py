"""A campaign at each person's best time, from the schedule to the report."""

import datetime
import time

from accessibility import examine
from stories import story
from workspace import BODY

# The people of a test are counted once a minute.
COUNT_SECONDS = 90
# "No device has an hour of its own yet", or "7 devices have an hour of their own".
LEARNED = "an hour of"
SENT = "Pages best times compared"


@story("editor")
def schedules_at_each_persons_best_time(world):
    browser, workspace = world.browser, world.workspace
    campaign = workspace.make("campaigns", {"name": "Pages best time", "payload": BODY, "schedule": {"kind": "local", "at": "2030-01-01T09:30:00"}})
    path = f"{workspace.path}/campaigns/{campaign}"
    schedule = lambda: world.api.get(path)["schedule"]
    browser.open(world.page(f"/campaigns/{campaign}/schedule"))
    browser.click("Best time")
    browser.wait(lambda: schedule() == {"kind": "local", "at": "2030-01-01T09:00:00", "best_time_until": "21:00", "if_past": "next_day"}, lambda: f"the window on the server; it is {schedule()}")
    browser.see("likeliest to be opened")
    browser.see("5% get it at that same hour")
    # It depends on whether the demo's past was counted already.
    browser.see(LEARNED)
    browser.choose("From", "20:00")
    browser.wait(lambda: (schedule()["at"], schedule()["best_time_until"]) == ("2030-01-01T20:00:00", "22:00"), lambda: f"a window of two hours; it is {schedule()}")
    browser.choose("From", "08:00")
    browser.choose("Until", "21:00")
    browser.wait(lambda: schedule()["best_time_until"] == "21:00", "the end on the server")
    browser.see(LEARNED)
    browser.wait(lambda: browser.run("return document.querySelectorAll('.forecast .plot-column').length") == 13, "a column for each hour")
    examine(browser)
    browser.picture("best-time-schedule")
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.see("08:00 to 21:00, at each person’s best time")
    browser.picture("best-time-review")

    # Repeated, only in people's own zones.
    browser.open(world.page(f"/campaigns/{campaign}/schedule"))
    browser.click("Repeats")
    browser.wait(lambda: schedule()["kind"] == "recurring", "the repeated schedule on the server")
    browser.see("At each person's best time")
    browser.click("At each person's best time", "checkbox")
    browser.wait(lambda: schedule().get("best_time_until") == "21:00", lambda: f"the window of a repeated one; it is {schedule()}")
    browser.choose("Time zone", "Berlin")
    browser.wait(lambda: schedule()["time_zone"] == "Europe/Berlin" and "best_time_until" not in schedule(), lambda: f"one time in Berlin; it is {schedule()}")
    assert not browser.sees("At each person's best time")
    world.api.post(f"{path}/archive")
    start_one(world)


def start_one(world):
    """Its people are counted when the last stories are told."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    sent = world.workspace.make("campaigns", {"name": SENT, "payload": BODY, "schedule": {"kind": "local", "at": f"{today}T00:00:00", "best_time_until": "24:00", "if_past": "send"}})
    world.api.post(f"{world.workspace.path}/campaigns/{sent}/start")


@story("report", late=True)
def compares_best_times_with_one_hour_for_all(world):
    browser, path = world.browser, f"{world.workspace.path}/campaigns"
    end = time.monotonic() + COUNT_SECONDS
    # The other story may be told at the same time.
    while not (found := world.api.get(f"{path}?search={SENT.replace(' ', '+')}")["data"]):
        assert time.monotonic() < end, "the campaign is not there"
        time.sleep(1)
    campaign = found[0]["id"]
    while (result := world.api.get(f"{path}/{campaign}/test"))["counted_at"] is None:
        assert time.monotonic() < end, "the people are not counted"
        time.sleep(1)
    assert result["compares"] == "times", result
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Is the best time worth it?")
    browser.see("90% get it at their best time.")
    # The groups in the result and in the ledger.
    names = "return [...document.querySelectorAll('.test-result tbody td b, .run-variants tbody td b')].map((each) => each.innerText)"
    browser.wait(lambda: sorted(browser.run(names)) == sorted(["Best time", "Same hour", "Any hour"] * 2), lambda: f"the groups; they are {browser.run(names)}")
    examine(browser)
    browser.picture("best-time-report")
