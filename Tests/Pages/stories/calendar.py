"""What is planned is seen by month."""

from accessibility import examine
from stories import story
from workspace import BODY


@story("campaigns")
def looks_at_what_is_planned(world):
    browser, workspace = world.browser, world.workspace
    planned = {
        "Pages New Year": {"kind": "local", "at": "2030-01-01T18:00:00"},
        "Pages every Monday": {"kind": "recurring", "rule": "FREQ=WEEKLY;BYDAY=MO", "from": "2030-01-07T09:00:00", "time_zone": "Europe/Berlin"},
    }
    for name, schedule in planned.items():
        campaign = workspace.make("campaigns", {"name": name, "payload": BODY, "schedule": schedule})
        world.api.post(f"{workspace.path}/campaigns/{campaign}/schedule")
    browser.open(world.page("/campaigns"))
    browser.click("Calendar")
    browser.wait(lambda: browser.run("return document.querySelectorAll('td[aria-current=date]').length === 1"), "today in the calendar")
    browser.picture("calendar-today")
    month = lambda text: browser.wait(lambda: browser.run("return document.querySelector('.calendar h2')?.innerText") == text, f"the month {text}")
    browser.open(world.page("/campaigns?view=calendar&month=2029-12"))
    month("December 2029")
    browser.click("The month after")
    month("January 2030")
    days = lambda name: browser.run("""
        return [...document.querySelectorAll("td")].filter((each) => each.innerText.includes(arguments[0])).map((each) => each.querySelector("time").dateTime);
    """, name)
    browser.wait(lambda: days("Pages New Year") == ["2030-01-01"], lambda: f"the day of the campaign; it is on {days('Pages New Year')}")
    mondays = [f"2030-01-{day}" for day in ("07", "14", "21", "28")] + ["2030-02-04"]
    browser.wait(lambda: days("Pages every Monday")[:4] == mondays[:4], lambda: f"the Mondays; they are {days('Pages every Monday')}")
    examine(browser)
    browser.picture("calendar")
    # At 390 pixels it is a list of the days on which something is planned.
    browser.look(390, 844, "dark")
    browser.settle()
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the calendar is wider than the window"
    examine(browser)
    browser.picture("calendar-narrow")
    # Keys: j goes to a campaign, Page Down to the next month.
    browser.look()
    browser.run("document.activeElement.blur()")
    browser.press("j")
    browser.wait(lambda: "Pages" in browser.focused(), lambda: f"the focus on a campaign; it is on {browser.focused()}")
    browser.press("Page_Down")
    month("February 2030")
    assert browser.path().endswith("view=calendar&month=2030-02"), browser.path()
    browser.click("List")
    browser.see("Running, next, newest")
