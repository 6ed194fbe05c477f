"""Saved audiences."""

from datetime import datetime, timedelta, timezone

from stories import story


@story("segments", "segment")
def refuses_a_segment_without_a_name(world):
    browser = world.browser
    browser.open(world.page("/segments/new"))
    browser.click("Create segment")
    browser.see("Give it a name.")
    browser.fill("Name", "Evening people")
    browser.click("Create segment")
    browser.wait(lambda: not browser.sees("Give it a name."), "the error to go when the field is filled")
    browser.see("Add a condition: a segment can't be everyone.")


@story("segments", "segment")
def builds_an_audience_and_saves_it_as_a_segment(world):
    browser = world.browser
    wanted = {"include": {"field": "language", "op": "is", "value": "en"}, "exclude": {"field": "authorization_status", "op": "is", "value": "denied"}}
    counted = world.api.post(f"{world.workspace.path}/audiences/count", {"audience": wanted})["matches"]
    everybody = world.api.post(f"{world.workspace.path}/audiences/count", {"audience": {}})["matches"]
    assert 0 < counted < everybody, f"{counted} of {everybody} devices say nothing about the count"
    browser.open(world.page("/segments/new"))
    browser.fill("Name", "English with notifications")
    browser.click("Condition", "button", "Devices")
    browser.choose("Subject of the condition", "Language", "Devices")
    browser.fill("Language", "en", "Devices")
    browser.click("Condition", "button", "Except")
    browser.choose("Subject of the condition", "Permission", "Except")
    browser.choose("Permission", "denied", "Except")
    browser.see("Devices where language is English, except where permission is denied.")
    see_count(browser, counted)
    browser.click("Create segment")
    browser.wait(lambda: not browser.path().endswith("/new"), "the segment's page")
    browser.reload()
    see_count(browser, counted)
    browser.see("Devices where language is English, except where permission is denied.")
    segment = world.api.get(f"{world.workspace.path}/segments/{browser.path().split('/')[-1]}")
    assert segment["audience"] == wanted, segment
    # In the list, too.
    browser.click("Segments", "link", "Pages")
    browser.see("English with notifications")


@story("segments", "segment")
def selects_those_whose_birthday_is_today(world):
    path = world.workspace.path
    # Others have tokens of other kinds, or none any more, and are never counted.
    device = world.api.get(f"{path}/devices?kind=alert&registered=true&limit=1")["data"][0]["installation"]
    zone, today = around_noon()
    before = world.api.get(path)["default_time_zone"]
    world.api.send("PATCH", path, {"default_time_zone": zone})
    try:
        birthday = today.replace(year=1992).strftime("%Y-%m-%d")
        world.api.send("PATCH", f"{path}/devices/{device}", {"attributes": {"birthday": birthday}})
        see_the_birthday(world)
    finally:
        world.api.send("PATCH", path, {"default_time_zone": before})


def around_noon():
    """A zone in which no day begins or ends while a story runs, and the present time there."""
    now = datetime.now(timezone.utc)
    ahead = 12 - now.hour
    # POSIX signs: Etc/GMT-3 is ahead of Greenwich.
    return f"Etc/GMT{-ahead:+d}" if ahead else "UTC", now + timedelta(hours=ahead)


def see_the_birthday(world):
    browser = world.browser
    browser.open(world.page("/segments/new"))
    browser.fill("Name", "Birthdays")
    browser.click("Condition", "button", "Devices")
    browser.choose("Subject of the condition", "Another attribute", "Devices")
    browser.fill("Attribute", "birthday", "Devices")
    browser.choose("Comparison", "anniversary in", "Devices")
    browser.see("Devices where birthday has its anniversary today.")
    see_count(browser, 1)
    browser.picture("audience-birthday")
    browser.choose("Comparison", "before", "Devices")
    browser.see("Not finished: it needs a value.")
    browser.choose("Comparison", "in the next", "Devices")
    browser.see("Devices where birthday is in the next 7 days.")
    see_count(browser, 0)


def see_count(browser, count):
    """The number that belongs to the audience as it is shown: an old one is marked as busy."""
    shown = lambda: browser.run("return document.querySelector('[aria-busy=false] .figure-large')?.innerText")
    browser.wait(lambda: shown() == f"{count:,}", lambda: f"{count:,} devices; the page shows {shown()}")


@story("segments", "segment")
def selects_people_of_a_country(world):
    """By the names of countries in the reader's language; the phone's zone tells where it is."""
    browser = world.browser
    wanted = {"include": {"field": "country", "op": "in", "value": ["JP", "DE"]}}
    counted = world.api.post(f"{world.workspace.path}/audiences/count", {"audience": wanted})["matches"]
    everybody = world.api.post(f"{world.workspace.path}/audiences/count", {"audience": {}})["matches"]
    assert 0 < counted < everybody, f"{counted} of {everybody} devices say nothing about the count"
    browser.open(world.page("/segments/new"))
    browser.fill("Name", "Pages countries")
    browser.click("Condition", "button", "Devices")
    browser.choose("Subject of the condition", "Country", "Devices")
    browser.see("Told from the phone's time zone; without one, from the region of its language.")
    browser.choose("Country", "Japan", "Devices")
    browser.see("Devices where country is Japan.")
    browser.choose("Comparison", "is one of", "Devices")
    browser.find("Country", "field", "Devices").click()
    browser.press("germany", "Enter")
    browser.see("Devices where country is Japan or Germany.")
    see_count(browser, counted)
    browser.picture("countries")
    browser.click("Create segment")
    browser.wait(lambda: not browser.path().endswith("/new"), "the segment's page")
    segment = browser.path().split("/")[-1]
    stored = world.api.get(f"{world.workspace.path}/segments/{segment}")
    assert stored["audience"] == wanted, stored
    browser.look(width=390)
    browser.picture("countries-narrow")
    browser.look()
