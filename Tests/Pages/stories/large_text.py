"""A reader whose browser shows text at twice its size (WCAG 1.4.4)."""

import tempfile

from browser import Browser
from stories import story
from walk import OVERFLOWING

PATHS = ("", "/campaigns", "/campaigns/{draft}/content", "/campaigns/{draft}/audience", "/campaigns/{draft}/schedule", "/campaigns/{sent}/report", "/devices")
FONT = "return getComputedStyle(document.querySelector('main')).fontSize"


@story("dashboard", "campaigns", "editor", "report", "devices")
def reads_with_text_of_twice_the_size(world):
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder, world.browser.screens, world.browser.fonts, font_size=32)
        try:
            browser.raw_key = world.browser.raw_key
            browser.visit(world.server.url, world.cookie)
            browser.open(world.page())
            assert browser.run(FONT) == "30px", f"the text is {browser.run(FONT)} high"
            for path in PATHS:
                browser.follow(world.page(path.format(**world.workspace.campaigns)))
                browser.settle()
                wide = browser.run(OVERFLOWING)
                assert wide is None, f"{path} is wider than the window: {wide}"
                browser.picture(f"large-text{path.replace('/', '-').format(draft='draft', sent='sent')}")
        finally:
            browser.quit()
