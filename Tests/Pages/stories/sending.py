"""A campaign from its start to its report."""

from datetime import datetime, timedelta, timezone

from accessibility import examine
from stories import story
from workspace import BODY

SLOWLY = 40
SET_TIME = """
const field = document.querySelector("main input[type=datetime-local]");
field.value = arguments[0];
field.dispatchEvent(new Event("change", { bubbles: true }));
"""


@story("report")
def reports_a_sent_campaign_whose_numbers_lead_to_devices(world):
    browser = world.browser
    campaign = world.workspace.campaigns["sent"]
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Verified")
    links = browser.run("return [...document.querySelectorAll('.sum dd a')].map((each) => each.getAttribute('href'))")
    assert links, "no number of the ledger is a link"
    browser.open(links[0])
    assert "/people" in browser.path(), browser.path()


@story("report")
def follows_a_campaign_to_its_verified_ledger(world):
    browser = world.browser
    # Slow enough that the page is there before the end.
    live = world.workspace.make("campaigns", {"name": "Pages live", "payload": BODY, "pushes_per_second": SLOWLY})
    world.api.post(f"{world.workspace.path}/campaigns/{live}/start")
    browser.open(world.page(f"/campaigns/{live}/report"))
    assert not browser.sees("Verified"), "the campaign ended before its page was there"
    browser.picture("campaign-live")
    # The page follows the run by itself.
    browser.see("Verified")
    run = world.api.get(f"{world.workspace.path}/campaigns/{live}/runs")["data"][0]
    assert run["balanced"], run
    shown = browser.run("return document.querySelector('[data-term=targeted] dd').innerText")
    assert shown == str(run["targeted"]), f"the ledger shows {shown} of {run['targeted']} devices"


@story("people")
def searches_the_recipients_of_a_run(world):
    browser = world.browser
    workspace = world.workspace
    run = workspace.ids["run"]
    recipient = world.api.get(f"{workspace.path}/runs/{run}/deliveries?limit=1")["data"][0]
    browser.open(world.page(f"/campaigns/{workspace.campaigns['sent']}/runs/{run}/people"))

    def search(text):
        field = browser.driver.find_element("css selector", "main [data-search]")
        field.clear()
        field.send_keys(text)

    def rows():
        return browser.run("return document.querySelectorAll('main tbody tr').length")

    everybody = browser.wait(rows, "the recipients")
    search(recipient["installation"])
    browser.wait(lambda: rows() == 1, "the one recipient")
    browser.picture("people-search")
    search("nobody-at-all")
    browser.see("This run has no such recipient")
    browser.click("Show all devices")
    browser.wait(lambda: rows() == everybody, "all recipients")
    # The demo's phones open nothing by themselves so soon, so the number of those who did not is not known here.
    browser.run("const s = [...document.querySelectorAll('main select')].pop(); s.value = 'false'; s.dispatchEvent(new Event('change'))")
    browser.wait(lambda: "opened=false" in browser.path(), "the filter in the address")


@story("editor", "report", "people")
def leads_from_a_new_campaign_to_a_verified_ledger(world):
    browser = world.browser
    test_device(world)
    browser.open(world.page("/campaigns"))
    browser.click("New campaign")
    browser.wait(lambda: browser.path().endswith("/content"), "the editor")
    browser.settle()
    campaign = browser.path().split("/")[-2]
    path = f"{world.workspace.path}/campaigns/{campaign}"
    browser.click("Rename")
    browser.fill("Name of the campaign", "Pages by hand")
    browser.press("Enter")
    browser.fill("Title", "Moon Lovers")
    browser.fill("Text", "Tonight the bells ring for you.")
    phone = lambda: browser.run("return document.querySelector('.phone').innerText")
    assert "Moon Lovers" in phone() and "Tonight the bells" in phone(), phone()
    browser.click("Next: Audience")
    browser.click("Condition", "button", "Devices")
    browser.choose("Subject of the condition", "Language", "Devices")
    browser.fill("Language", "en", "Devices")
    browser.click("Save as segment")
    browser.fill("Name", "Pages English")
    browser.click("Save segment")
    browser.see("Saved “Pages English”.")
    browser.click("Next: Schedule")
    browser.see("It starts when you press “Send now” in the review.")
    browser.fill("Rate limit", str(SLOWLY // 2))
    browser.click("Next: Review")
    browser.see("Not tested since the last change.")
    count = world.api.get(f"{path}/forecast")["sent"]
    launch = f"Send now to {count} devices"
    # Not before the warning was seen.
    browser.click(launch, "button")
    assert browser.path().endswith("/review") and world.api.get(path)["state"] == "draft", "it was sent before its warning was ticked"
    browser.click("I have seen it", "check")
    browser.wait(lambda: browser.find(launch, "button").get_attribute("aria-disabled") != "true", "the launch to be possible after the tick")
    # A test does better: the warning goes.
    browser.click(test_button(browser))
    browser.see("Apple accepted it for")
    browser.wait(lambda: not browser.sees("Not tested since the last change."), "the warning to go")
    browser.picture("review-ready")
    browser.click(launch)
    browser.wait(lambda: browser.path().endswith("/report"), "the live room")
    browser.see("It starts in")
    browser.picture("campaign-starting")
    # The server waits ten seconds, in which the start could be undone.
    browser.wait(lambda: world.api.get(f"{path}/runs")["data"], "the start")
    browser.see("Sending")
    shares = watch(browser)
    assert len(shares) > 2, f"the progress was {shares}"
    run = world.api.get(f"{path}/runs")["data"][0]
    assert run["balanced"] and run["targeted"] >= count, run
    ledger = browser.run("return Object.fromEntries([...document.querySelectorAll('[data-term]')].map((each) => [each.dataset.term, Number(each.querySelector('dd').innerText.replaceAll(',', ''))]))")
    assert ledger.pop("targeted") == sum(ledger.values()) == run["targeted"], f"the ledger {ledger} of {run}"
    accepted = browser.run("return document.querySelector('[data-term=accepted] dd a')")
    accepted.click()
    browser.wait(lambda: browser.path().endswith("/people?kind=accepted"), "the people behind the number")
    browser.settle()
    rows = lambda: browser.run("return document.querySelectorAll('main table tbody tr').length")
    browser.wait(lambda: rows() == min(50, run["accepted"]), lambda: f"{min(50, run['accepted'])} people; there are {rows()}")
    deliveries = world.api.get(f"{world.workspace.path}/runs/{run['id']}/deliveries?outcome=accepted&limit=200")["data"]
    first = browser.run("return document.querySelector('main table tbody tr').innerText")
    assert any((each["user_id"] or each["installation"][:9]) in first for each in deliveries), first


@story("editor", "report")
def schedules_a_campaign_in_local_time_and_takes_it_back(world):
    browser = world.browser
    planned = world.workspace.make("campaigns", {"name": "Pages planned", "payload": BODY})
    path = f"{world.workspace.path}/campaigns/{planned}"
    browser.open(world.page(f"/campaigns/{planned}/schedule"))
    browser.click("Local time")
    browser.see("Where that time has passed:")
    # Tomorrow at nine begins within the hour where the sun rises first, at some hours of the day.
    week = (datetime.now(timezone.utc) + timedelta(days=7)).strftime("%Y-%m-%dT09:00")
    browser.run(SET_TIME, week)
    browser.wait(lambda: week in ((world.api.get(path)["schedule"] or {}).get("at") or ""), "the schedule to be saved")
    browser.click("Next: Review")
    sentence = lambda: browser.run("return document.querySelector('.review-sentence')?.innerText") or ""
    browser.wait(lambda: "09:00, where the phone is" in sentence() and "time zones" in sentence(), lambda: f"the local time; it says {sentence()!r}")
    # Everybody gets it, and it is not tested.
    browser.wait(lambda: browser.run("const boxes = document.querySelectorAll('.warning-row input'); boxes.forEach((each) => each.checked || each.click()); return boxes.length") == 2, "two warnings")
    launch = f"Schedule {world.api.get(f'{path}/forecast')['sent']} devices"
    browser.wait(lambda: browser.find(launch, "button").get_attribute("aria-disabled") != "true", "the launch to be possible after the tick")
    browser.click(launch)
    browser.wait(lambda: browser.path().endswith("/report"), "the report")
    browser.see("Begins ")
    browser.see("where the phone is")
    assert world.api.get(path)["state"] == "scheduled"
    browser.picture("campaign-scheduled")
    # To edit is offered first, and to send only in a menu.
    browser.open(world.page(f"/campaigns/{planned}/review"))
    assert browser.has("Edit") and not browser.has(launch), "a scheduled campaign can be scheduled again"
    browser.click("Unschedule")
    browser.see("Not scheduled any more: it is a draft.")
    assert world.api.get(path)["state"] == "draft"


@story("editor")
def sends_no_push_that_shows_nothing(world):
    browser = world.browser
    empty = world.workspace.make("campaigns", {"name": "Pages empty", "payload": {"aps": {"alert": {"title": "", "body": ""}}}})
    browser.open(world.page(f"/campaigns/{empty}/review"))
    browser.see("Fix the errors first.")
    browser.picture("review-empty")
    launch = browser.run("return document.querySelector('main .launch button')")
    assert launch.get_attribute("aria-disabled") == "true", "it can be sent"


@story("report")
def pauses_resumes_and_cancels_a_run(world):
    browser = world.browser
    live = world.workspace.make("campaigns", {"name": "Pages steered", "payload": BODY, "pushes_per_second": 10})
    path = f"{world.workspace.path}/campaigns/{live}"
    world.api.post(f"{path}/start")
    state = lambda: world.api.get(f"{path}/runs")["data"][0]["state"]
    browser.open(world.page(f"/campaigns/{live}/report"))
    # A pause asks nothing and holds within a second.
    browser.click("Pause")
    browser.see("Paused.")
    assert state() == "paused", state()
    left = world.api.get(f"{path}/runs")["data"][0]["pending"]
    browser.picture("campaign-paused")
    browser.click("Resume")
    browser.wait(lambda: state() == "sending", "the run to go on")
    browser.wait(lambda: world.api.get(f"{path}/runs")["data"][0]["pending"] < left, "pushes to be sent again")
    # To cancel is final: it asks, and going back changes nothing.
    browser.click("Cancel…")
    browser.see("Stop permanently?")
    browser.picture("campaign-cancel-question")
    browser.click("Go back")
    assert state() == "sending", state()
    browser.click("Cancel…")
    browser.wait(lambda: browser.run("return [...document.querySelectorAll('dialog[open] button')].find((each) => each.innerText.startsWith('Stop permanently'))"), "the answer").click()
    browser.wait(lambda: state() == "cancelled", "the run to be cancelled")
    browser.see("Cancelled")
    assert browser.run("return document.body.innerText.match(/Stopped at (\\d+)/)?.[1]") not in (None, "100"), "a cancelled run looks complete"
    assert not browser.has("Resume") and not browser.has("Pause"), "it can still be steered"


def watch(browser):
    """The different shares that the live room shows until its ledger is verified."""
    shares = []

    def verified():
        share = browser.run("return document.querySelector('main [role=progressbar], main progress, main .meter')?.ariaValueNow ?? document.querySelector('main .figure-large')?.innerText")
        if share not in shares:
            shares.append(share)
        return browser.sees("Verified")

    browser.wait(verified, "the verified ledger")
    return shares


def test_device(world):
    device = world.api.get(f"{world.workspace.path}/devices?limit=200")["data"][1]
    world.api.send("PATCH", f"{world.workspace.path}/devices/{device['installation']}", {"is_test": True, "nickname": "Mei’s iPhone"})


def test_button(browser):
    return browser.wait(lambda: browser.run("return [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith('Test on'))?.innerText"), "a test device")


@story("editor")
def gives_a_campaign_quiet_hours_and_a_cap_of_its_own(world):
    browser = world.browser
    campaign = world.workspace.make("campaigns", {"name": "Pages own limits", "payload": BODY})
    path = f"{world.workspace.path}/campaigns/{campaign}"
    stored = lambda: {name: world.api.get(path)[name] for name in ("quiet_hours", "frequency_cap", "ignores_quiet_hours", "ignores_frequency_cap")}

    def becomes(**wanted):
        browser.wait(lambda: stored() == wanted, lambda: f"{wanted} on the server; it has {stored()}")

    browser.open(world.page(f"/campaigns/{campaign}/schedule"))
    browser.choose("Quiet hours", "Its own quiet hours")
    browser.choose("In these hours", "skip the device")
    browser.choose("Frequency cap", "Its own cap")
    browser.fill("At most", "1")
    browser.press("Tab")
    browser.fill("Within", "2")
    browser.press("Tab")
    quiet = {"from": "22:00", "to": "08:00", "policy": "skip"}
    becomes(quiet_hours=quiet, frequency_cap={"count": 1, "days": 2}, ignores_quiet_hours=False, ignores_frequency_cap=False)
    examine(browser)
    browser.run("document.querySelector('.limits').scrollIntoView({ block: 'start' })")
    browser.picture("own-limits")
    browser.look(theme="dark", width=390)
    browser.run("document.querySelector('.limits').scrollIntoView({ block: 'start' })")
    browser.picture("own-limits-narrow")
    browser.look()
    browser.choose("Quiet hours", "The quiet hours of the app")
    becomes(quiet_hours=None, frequency_cap={"count": 1, "days": 2}, ignores_quiet_hours=False, ignores_frequency_cap=False)


@story("editor", "campaigns")
def finds_campaigns_by_their_tags(world):
    browser = world.browser
    campaign = world.workspace.make("campaigns", {"name": "Pages tagged", "payload": BODY})
    path = f"{world.workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.click("Add tags")
    browser.find("Tags", "field").click()
    browser.press("spring", "Enter", "sale", "Enter")
    browser.click("Done")
    browser.wait(lambda: world.api.get(path)["tags"] == ["spring", "sale"], lambda: f"the tags on the server; it has {world.api.get(path)['tags']}")
    examine(browser)
    browser.picture("tags-editor")
    browser.open(world.page("/campaigns"))
    browser.choose("Tag", "spring (1)")
    names = lambda: browser.run("return [...document.querySelectorAll('.campaign-name')].map((each) => each.innerText)")
    browser.wait(lambda: names() == ["Pages tagged"], lambda: f"the tagged campaign; there are {names()}")
    examine(browser)
    browser.picture("tags-list")
    browser.look(width=390)
    browser.picture("tags-list-narrow")
    browser.look()
    # Also when it was sent.
    sent = f"{world.workspace.path}/campaigns/{world.workspace.campaigns['sent']}"
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/report"))
    browser.click("Add tags")
    browser.find("Tags", "field").click()
    browser.press("evening", "Enter")
    browser.click("Done")
    browser.wait(lambda: world.api.get(sent)["tags"] == ["evening"], lambda: f"the tag of a sent one; it has {world.api.get(sent)['tags']}")
    browser.see("evening")
    examine(browser)
    browser.picture("tags-report")
