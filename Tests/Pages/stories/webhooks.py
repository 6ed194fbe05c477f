"""Webhooks: the secret is shown once, and what was told can be seen and sent again."""

import uuid

from stories import story


@story("webhooks")
def adds_tests_and_deletes_a_webhook(world):
    browser, tag = world.browser, uuid.uuid4().hex[:6]
    path, name = f"{world.workspace.path}/webhooks", f"Shop {tag}"
    browser.open(world.page("/app"))
    browser.click("Open the webhooks")
    browser.settle()
    browser.click("Add a webhook")
    browser.fill("Address", "http://example.com/belfry")
    browser.fill("Name", name)
    browser.click("a run paused", "check")
    browser.click("replies arrived", "check")
    with browser.expecting("422 ("):
        browser.click("Add a webhook")
        browser.wait(lambda: browser.run("return document.querySelector('dialog[open] input[aria-invalid=true]') !== null"), "the address to be refused")
        browser.inspect()
    browser.picture("webhook-form")
    # Not public, so it is never connected to.
    browser.fill("Address", f"https://127.0.0.1:9/{tag}")
    browser.click("Add a webhook")
    browser.see("it is not shown again")
    secret = browser.run("return document.querySelector('dialog[open] pre').innerText")
    assert secret.startswith("whsec_"), secret
    browser.picture("webhook-secret")
    browser.click("I have kept it")
    browser.see(name)
    assert secret not in browser.text(), "the secret is shown again"
    webhook = next(each for each in world.api.get(path)["data"] if each["description"] == name)
    assert webhook["kinds"] == ["run.paused", "replies.received"], webhook
    group = webhook["url"]

    browser.click("Send a test", group=group)
    browser.see("is not public")
    for theme in ("light", "dark"):
        browser.look(theme=theme)
        browser.picture(f"webhooks-{theme}")
    browser.look(width=390)
    browser.picture("webhooks-narrow")
    browser.look()
    browser.click("Send again", group=group)
    deliveries = lambda: world.api.get(f"{path}/{webhook['id']}/deliveries")["data"]
    browser.wait(lambda: len(deliveries()) == 1 and deliveries()[0]["outcome"] == "failed", "the message to fail again")

    menu(browser, group)
    browser.click("New secret", "menuitem")
    browser.see("Make a new secret?")
    browser.click("New secret")
    browser.see("it is not shown again")
    browser.click("I have kept it")
    browser.see("signs as well until")
    menu(browser, group)
    browser.click("Disable", "menuitem")
    browser.see("Disabled")
    assert not world.api.get(f"{path}/{webhook['id']}")["enabled"]
    menu(browser, group)
    browser.click("Delete", "menuitem")
    browser.click("Delete")
    browser.see("No webhook yet")
    assert world.api.get(path)["data"] == []


def menu(browser, group):
    browser.run(
        """const sheet = [...document.querySelectorAll("main section")].find((each) => each.ariaLabel === arguments[0]);
        sheet.querySelector("summary[aria-label]").click();""",
        group,
    )
