"""The number of devices that get a campaign is one number, wherever it is shown."""

from stories import story
from workspace import BODY


@story("editor")
def shows_one_number_in_all_steps(world):
    browser = world.browser
    planned = world.workspace.make("campaigns", {"name": "Pages counted", "payload": BODY, "schedule": {"kind": "local", "at": "2030-01-01T18:00:00"}})
    browser.open(world.page(f"/campaigns/{planned}/audience"))
    figure = lambda: browser.run("return document.querySelector('[aria-busy=false] .figure-large')?.innerText")
    count = browser.wait(figure, "the count")
    total = lambda: browser.run("return document.querySelector('.count-sum .total td')?.innerText")
    assert total() in (None, count), f"the sum is {total()}, not {count}"
    counted = browser.run("return document.querySelector('.counted').innerText")
    browser.picture("count-audience")
    # Another device would change the number, if loading counted again.
    browser.reload()
    browser.wait(figure, "the count after a reload")
    assert browser.run("return document.querySelector('.counted').innerText") == counted, "it was counted again"
    browser.click("3 Schedule", "tab")
    browser.see(f"{count} devices get it")
    browser.click("4 Review", "tab")
    browser.see(f"{count} devices in")
    browser.wait(lambda: browser.has(f"Schedule {count} devices", "button"), "the number in the button")
    browser.picture("count-review")
    browser.click("Count again")
    browser.wait(lambda: browser.has(f"Schedule {count} devices", "button"), "the number after counting again")
