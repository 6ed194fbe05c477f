"""Saved audiences."""

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
