"""At the width of a phone, the message can still be looked at."""

from stories import story
from workspace import GREETING

FITS = "return document.documentElement.scrollWidth <= innerWidth"


@story("editor", "report")
def shows_the_message_at_the_width_of_a_phone(world):
    browser = world.browser
    template = world.workspace.make("templates", {"name": "Pages narrow", "content": {"payload": GREETING, "variants": {"ja": GREETING}}})
    campaign = world.workspace.make("campaigns", {"name": "Pages narrow", "template": template})
    phone = lambda: browser.run("return document.querySelector('.phone')?.checkVisibility() && document.querySelector('.phone').innerText")
    browser.look(width=390, height=844)
    try:
        browser.open(world.page(f"/campaigns/{campaign}/content"))
        dock = browser.wait(lambda: browser.run("return document.querySelector('.stage-dock')"), "the dock")
        assert "Evening bells" in dock.text and "English" in dock.text and browser.run("return arguments[0].getBoundingClientRect().bottom <= innerHeight", dock), dock.text
        dock.click()
        browser.wait(lambda: phone() and "9:41" in phone(), lambda: f"the whole phone above the form; it shows {phone()}")
        browser.picture("narrow-content")
        browser.open(world.page(f"/campaigns/{campaign}/review"))
        browser.wait(lambda: phone() and "Hello" in phone() and "{{" not in phone(), lambda: f"the message with values; it shows {phone()}")
        browser.choose("Language", "Japanese")
        browser.picture("narrow-review")
        assert browser.run(FITS), "the review is wider than the window"
        browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/report"))
        browser.wait(phone, "the phone in the report")
        browser.run("document.querySelector('.message-preview').scrollIntoView()")
        browser.picture("narrow-report")
        assert browser.run(FITS), "the report is wider than the window"
    finally:
        browser.look()
