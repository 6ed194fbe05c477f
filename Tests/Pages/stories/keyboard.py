"""Readers who use no mouse."""

from stories import story


@story("sign-in")
def signs_in_with_keys_only(world):
    browser = world.browser
    # The demo's admin has no password, so this person comes from an invitation.
    link = world.workspace.person("keys@pages.example", "analyst")
    browser.visit(world.server.url)
    with browser.expecting("401 (Unauthorized)"):
        browser.open(world.server.url + "/" + link[link.index("#"):])
    tab_to(browser, "New password")
    browser.press("several quiet words", "Enter")
    browser.wait(lambda: browser.path().startswith("/a/"), "the first page of the app")


@story("campaigns")
def searches_and_opens_a_campaign_with_keys_only(world):
    browser = world.browser
    browser.open(world.page("/campaigns"))
    browser.press("/")
    browser.wait(lambda: browser.focused().startswith("Search campaigns"), "the focus in the search")
    browser.press("Pages sent")
    browser.wait(lambda: browser.path().endswith("q=Pages+sent"), "the search in the address")
    browser.wait(lambda: not browser.sees("Pages draft"), "the other campaigns to go")
    browser.settle()
    browser.run("document.activeElement.blur()")
    browser.press("j")
    browser.wait(lambda: browser.focused().startswith("Pages sent"), "the focus on the campaign")
    browser.press("Enter")
    browser.wait(lambda: f"/campaigns/{world.workspace.campaigns['sent']}" in browser.path(), "the campaign's page")
    browser.settle()


def tab_to(browser, name, most=30):
    """Presses Tab until the element with this name has the focus."""
    for _ in range(most):
        if browser.focused() == name:
            return
        browser.press("Tab")
    raise AssertionError(f'"{name}" is not reached with {most} times Tab')
