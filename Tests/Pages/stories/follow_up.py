"""A follow-up: from a number of a report to the draft of a campaign for the people behind it."""

from accessibility import examine
from stories import story

COUNTED = "return document.querySelector('.follow-up-count')?.getAttribute('aria-busy') === null ? document.querySelector('.follow-up-count')?.innerText : null"


def sent(world):
    path = f"{world.workspace.path}/campaigns?state=sent&limit=200"
    return next(each for each in world.api.get(path)["data"] if each["name"] == "Sunday concert")


def made(world, name):
    """The draft that a follow-up made, as the address names it."""
    world.browser.wait(lambda: world.browser.path().endswith("/content"), "the draft")
    campaign = world.api.get(f"{world.workspace.path}/campaigns/{world.browser.path().split('/')[-2]}")
    assert campaign["name"] == name and campaign["state"] == "draft", campaign
    return campaign


def matches(world, audience):
    return world.api.post(f"{world.workspace.path}/audiences/count", {"audience": audience})["matches"]


@story("report", "editor")
def follows_up_those_who_did_not_engage(world):
    browser = world.browser
    campaign = sent(world)
    run = campaign["last_run"]
    browser.open(world.page(f"/campaigns/{campaign['id']}/report"))
    browser.see("Verified")
    browser.click("Follow up")
    browser.see("got it and did not engage")
    shown = browser.wait(lambda: browser.run(COUNTED), "the number of devices")
    count = matches(world, {"include": {"outcome": "accepted", "campaign": campaign["id"], "run": run["id"], "without": "engaged"}})
    assert 0 < count <= run["accepted"] - run["engaged"], (count, run)
    assert shown == f"{count} devices now.", shown
    examine(browser)
    browser.picture("follow-up")
    browser.look(theme="dark")
    browser.picture("follow-up-dark")
    browser.look(width=390)
    browser.picture("follow-up-narrow")
    browser.look()
    browser.fill("Days after the run", "3")
    browser.click("Create draft")
    draft = made(world, "Follow-up: Sunday concert")
    assert draft["schedule"]["kind"] == "local" and draft["schedule"]["at"].endswith("T18:00:00"), draft["schedule"]
    assert draft["content"] == campaign["content"], draft
    assert matches(world, draft["audience"]) == count
    # The builder shows the condition, and its number is the same.
    browser.open(world.page(f"/campaigns/{draft['id']}/audience"))
    browser.see("the device got “Sunday concert” (run of")
    browser.see("the person did not engage with it")
    browser.wait(lambda: browser.value("What became of it") == "accepted:engaged", "the condition")
    browser.see(str(count))
    examine(browser)
    browser.picture("follow-up-audience")
    browser.look(width=390)
    browser.picture("follow-up-audience-narrow")
    browser.look()
    browser.choose("What became of it", "got")
    path = f"{world.workspace.path}/campaigns/{draft['id']}"
    browser.wait(lambda: "without" not in world.api.get(path)["audience"]["include"], "the other condition on the server")


@story("people", "report")
def sends_a_campaign_to_a_list(world):
    browser = world.browser
    campaign = sent(world)
    run = campaign["last_run"]
    people = f"/campaigns/{campaign['id']}/runs/{run['id']}/people"
    browser.open(world.page(people + "?engaged=true"))
    browser.click("Send a campaign to these")
    shown = browser.wait(lambda: browser.run(COUNTED), "the number of devices")
    assert shown == f"{run['engaged']} devices now.", (shown, run)
    browser.picture("follow-up-list")
    browser.click("Create draft")
    draft = made(world, "Follow-up: Sunday concert")
    assert draft["audience"] == {"include": {"event": "engaged", "campaign": campaign["id"], "run": run["id"]}}, draft
    # A list that an audience can't say tells what is missing.
    browser.open(world.page(people + "?engaged=false"))
    button = browser.wait(lambda: browser.find("Send a campaign to these"), "the button")
    reason = browser.run("return arguments[0].dataset.reason", button)
    assert reason == "Choose Accepted, too: a campaign goes to those who got the push.", reason


@story("campaigns", "report")
def begins_a_follow_up_from_the_list(world):
    browser = world.browser
    campaign = sent(world)
    browser.open(world.page(f"/campaigns/{campaign['id']}/report?follow=opened"))
    browser.wait(lambda: browser.run("return document.querySelector('dialog input:checked')?.value") == "opened", "the choice")
    browser.press("Escape")
    browser.wait(lambda: "follow" not in browser.run("return location.search"), "the address without it")
