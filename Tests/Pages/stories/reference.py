"""The API reference, drawn from the server's own description."""

import re

from server import ROOT
from stories import story

PERMISSIONS = """
const done = arguments[arguments.length - 1];
Promise.all([import("/js/reference/document.js"), import("/js/reference/permission.js")]).then(async ([{ loadDocument }, { permissionOf }]) =>
  (await loadDocument()).operations.map((each) => [each.method.toUpperCase() + " " + each.path, permissionOf(each)])).then(done, (error) => done(String(error)));
"""
MEMBERS = "return [...document.querySelectorAll('.operation section[aria-labelledby=body] .member-name')].map((each) => each.innerText)"
# Milliseconds in which an operation is drawn, on a slow machine.
SLOW = 1_000


@story("reference")
def finds_an_operation_and_copies_its_example(world):
    browser = world.browser
    browser.open(world.page("/reference"))
    assert not browser.has("Create a draft", "link") and browser.run("return document.querySelectorAll('.contents li').length") == 0, "closed groups are drawn"
    browser.press("/")
    browser.wait(lambda: browser.focused().startswith("Search operations"), "the focus in the search")
    browser.press("campaigns draft")
    browser.wait(lambda: browser.path().endswith("q=campaigns+draft"), "the search in the address")
    began = browser.run("return performance.now()")
    browser.click("POST Create a draft", "link")
    browser.see("/v1/apps/{app}/campaigns")
    took = browser.run("return performance.now()") - began
    assert took < SLOW, f"an operation is drawn after {took:.0f} ms"
    assert "operation=createCampaign" in browser.path() and "q=campaigns" in browser.path(), browser.path()
    example = browser.run("return document.querySelector('.operation .copy pre').innerText")
    assert f"'{world.server.url}{world.workspace.path}/campaigns'" in example and '"name"' in example, example
    browser.see("campaigns:write")

    known = browser.run(MEMBERS)
    assert "payload" in known and "all" not in known, known
    browser.run("[...document.querySelectorAll('button.member-head')].find((each) => each.innerText.startsWith('audience')).click()")
    browser.wait(lambda: "include" in browser.run(MEMBERS), "the members of the audience")
    browser.click("11 statuses for problems")
    browser.see("idempotency-key-in-use")
    browser.picture("reference-operation")

    address = browser.path()
    browser.look(width=390, height=844)
    browser.click("All operations", "link")
    browser.wait(lambda: "Create a draft" in browser.focused(), lambda: f"the focus in the list; it is at {browser.focused()}")
    is_open = lambda: browser.run("return document.querySelector('.contents-head button').ariaExpanded === 'true'")
    browser.run("document.querySelector('.contents-head button').click()")
    browser.wait(lambda: not is_open(), "the group to close")
    browser.fill("Search operations/", "draft")
    browser.wait(lambda: browser.path().endswith("q=draft") and is_open(), "a group that matches another search to open")
    browser.look()
    browser.open(address)
    browser.see("/v1/apps/{app}/campaigns")
    browser.open(f"{world.page('/reference')}?operation=nothing")
    browser.see("There is no operation “nothing”.")


@story("reference")
def opens_every_operation(world):
    """Each schema can be drawn, also those that contain themselves."""
    browser = world.browser
    browser.open(world.page("/reference"))
    ids = browser.driver.execute_async_script("const done = arguments[0]; import('/js/reference/document.js').then(({ loadDocument }) => loadDocument()).then(({ operations }) => done(operations.map(({ id }) => id)))")
    for each in ids:
        browser.place = f"the operation {each}"
        browser.follow(f"{world.page('/reference')}?operation={each}")
        browser.wait(lambda: browser.run("return document.querySelector('.operation') !== null"), "the operation")
        browser.run("document.querySelectorAll('.operation button.member-head[aria-expanded=false]').forEach((head) => head.click())")
        browser.run("document.querySelectorAll('.operation details').forEach((part) => { part.open = true; })")
        browser.inspect()


@story("reference")
def names_the_permissions_of_the_documents(world):
    browser = world.browser
    browser.open(world.page("/reference"))
    named = dict(browser.driver.execute_async_script(PERMISSIONS))
    stated = dict(re.findall(r"^\| `([A-Z]+ /[^`]+)` \| (.+?) \|", (ROOT / "Docs" / "routes.md").read_text(encoding="utf-8"), re.M))
    wrong = {}
    for route, permission in named.items():
        found = re.findall(r"`([a-z:-]+)`", stated.get(route, ""))
        if route in stated and permission != (found[-1] if found else None):
            wrong[route] = (permission, stated[route])
    assert len(named) > 100 and not wrong, wrong
