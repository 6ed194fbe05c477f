"""A test push says in plain words what became of it, wherever it is sent."""

import uuid

from stories import story
from workspace import BODY

WRONG = "The token does not belong to this environment."


def phone(world, name, **more):
    """A test device whose token is not a phone's."""
    installation = f"pages-{uuid.uuid4().hex[:12]}"
    path = f"{world.workspace.path}/devices/{installation}"
    world.api.send("PUT", path, {"token": uuid.uuid4().hex * 2, "environment": "production"} | more)
    world.api.send("PATCH", path, {"is_test": True, "nickname": name})
    return installation


def retire(world, installation):
    world.api.delete(f"{world.workspace.path}/devices/{installation}")


def choose(browser, *names):
    """Ticks these phones and no other one."""
    browser.wait(lambda: all(browser.has(name, "checkbox") for name in names), f"{names} to be offered")
    browser.run("""const names = arguments[0];
        for (const box of document.querySelectorAll("label:has(> input[type=checkbox])")) {
            if (box.querySelector("input").checked !== names.includes(box.innerText.trim())) box.click();
        }""", names)


@story("device", "template", "editor")
def tells_what_became_of_each_test_push(world):
    browser, workspace = world.browser, world.workspace
    wrong, gone = phone(world, "Ada's old phone"), phone(world, "Grace's phone")

    browser.open(world.page(f"/devices/{wrong}"))
    browser.click("Own text")
    browser.fill("Text", "Do you hear the bell?")
    browser.click("Send to Ada's old phone")
    browser.see("Apple rejected it for Ada's old phone")
    browser.see(WRONG)
    browser.see("Apple’s reason: BadDeviceToken")
    browser.picture("test-refused-device")

    # Several phones: each has its own answer. One that is retired meanwhile is named, and nothing is sent.
    template = workspace.make("templates", {"name": "Pages test", "content": {"payload": BODY}})
    browser.open(world.page(f"/templates/{template}"))
    browser.click("Send a test")
    choose(browser, "Ada's old phone", "Grace's phone")
    retire(world, gone)
    with browser.expecting("422"):
        browser.click("Send to 2 phones")
        browser.see("Nothing was sent.")
        browser.see("Grace's phone is retired, because its token is not valid any more.")
    browser.picture("test-retired")
    choose(browser, "Ada's old phone")
    browser.click("Send to 1 phone")
    browser.see("Apple rejected it for Ada's old phone")
    browser.picture("test-refused-template")

    # A value that one phone lacks.
    greeting = {"aps": {"alert": {"body": "Hello {{ nick_of_nobody }}"}}}
    lacking = workspace.make("templates", {"name": "Pages lacking", "content": {"payload": greeting}})
    lacking = workspace.make("campaigns", {"name": "Pages test", "template": lacking})
    browser.open(world.page(f"/campaigns/{lacking}/review"))
    choose(browser, "Ada's old phone")
    browser.click("Test on Ada's old phone")
    browser.see("It was not sent to Ada's old phone")
    browser.see("there is no default")
    browser.picture("test-lacking")
    retire(world, wrong)
