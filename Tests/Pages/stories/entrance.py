"""People sign in, choose passwords and sign out."""

from server import Server
from stories import story

PASSWORD = "seven quiet bells at noon"
NOBODY = "401 (Unauthorized)"


@story("sign-in", "glossary")
def signs_in_comes_back_to_the_asked_page_and_signs_out(world):
    browser = world.browser
    link = world.workspace.person("ada@pages.example", "marketer")
    browser.visit(world.server.url)
    # An invited person chooses a password, which signs in.
    with browser.expecting(NOBODY):
        browser.open(world.server.url + "/" + link[link.index("#"):])
        browser.see("Choose a password")
        browser.fill("New password", PASSWORD)
        browser.click("Save and sign in")
        browser.wait(lambda: browser.path().startswith("/a/"), "the first page of the app")
        browser.settle()
    browser.click("ada@pages.example")
    with browser.expecting(NOBODY):
        browser.click("Sign out")
        browser.see("Sign in")
        # A page that was asked for comes after the sign-in.
        browser.open("/glossary?from=bookmark")
    browser.fill("E-mail address", "ada@pages.example")
    browser.fill("Password", "something else entirely")
    with browser.expecting(NOBODY, "422", "403"):
        browser.click("Sign in", "button")
        browser.wait(lambda: browser.run("return document.querySelector('[role=alert]')?.innerText"), "the refusal")
    browser.fill("Password", PASSWORD)
    browser.click("Sign in", "button")
    browser.see("Glossary")
    assert browser.path() == "/glossary?from=bookmark", browser.path()


@story("sign-in")
def creates_the_first_admin_of_an_empty_database(world):
    browser = world.browser
    server = Server(world.belfry, "serve")
    try:
        browser.visit(server.url)
        with browser.expecting(NOBODY):
            browser.open(server.link)
            browser.see("Welcome to Belfry")
            assert "#" not in browser.run("return location.href"), "the token is still in the address"
            browser.picture("set-up")
            browser.fill("Your name", "Ada")
            browser.fill("E-mail address", "ada@pages.example")
            browser.fill("Password", PASSWORD)
            browser.click("Create admin")
            # There is no app yet.
            browser.wait(lambda: browser.path().startswith("/setup"), "the set-up of the first app")
    finally:
        browser.driver.get("about:blank")
        server.stop()


@story("sign-in", "glossary")
def switches_the_language_without_loading_the_page(world):
    browser = world.browser
    browser.open("/glossary")
    browser.click("demo@belfry.example")
    browser.click("简体中文")
    browser.see("术语")
    assert browser.run("return document.documentElement.lang") == "zh-Hans"
