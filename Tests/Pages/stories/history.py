"""The pages about recipients, a person and a device: histories, "Why?", filters, exports, due times."""

import csv
import json
import uuid
from datetime import datetime, timezone
from urllib.parse import parse_qs, quote, urlsplit

from accessibility import examine
from answers import answering
from files import arrived
from stories import story
from workspace import BODY

# The tables that are shown, as lists of rows of texts.
ROWS = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
RULES = "return [...document.querySelectorAll('.why-rules > li')].map((each) => [each.querySelector('svg').getAttribute('aria-label'), each.querySelector('b').innerText, each.classList.contains('decided')])"
EVENTS = "return [...document.querySelectorAll(arguments[0] + ' .events')][0]?.innerText.replace(/\\s+/g, ' ') ?? ''"
ASKED = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/deliveries?')).length"
TERMS = ("targeted", "accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending")


class Sent:
    """A campaign to two devices: Apple rejects the first in both of its services, the second denied notifications."""

    def __init__(self, world):
        self.api, self.path, self.tag = world.api, world.workspace.path, f"why-{uuid.uuid4().hex[:6]}"
        self.name = f"Pages {self.tag}"
        self.rejected = self.register("rejected", "authorized", [self.tag])
        self.denied = self.register("denied", "denied", [self.tag])
        # Denied: no other story sends anything to it.
        self.outside = self.register("outside", "denied", [f"not-{self.tag}"])
        self.campaign = world.workspace.make("campaigns", {
            "name": self.name, "payload": BODY, "audience": {"include": {"all": [{"tag": self.tag}, {"field": "app_version", "op": "at_least", "value": "4"}]}}})
        self.api.post(f"{self.path}/campaigns/{self.campaign}/start")
        run = self.api.wait(f"{self.path}/campaigns/{self.campaign}/runs", lambda answer: answer["data"], "the run")["data"][0]["id"]
        self.run = self.api.wait(f"{self.path}/runs/{run}", lambda answer: answer["verified_at"], "the verified ledger")

    def register(self, name, status, tags, **more):
        installation = f"{self.tag}-{name}"
        self.api.send("PUT", f"{self.path}/devices/{installation}", {
            "token": uuid.uuid4().hex * 2, "environment": "production", "authorization_status": status, "tags": tags, "locale": "de-DE", "os_version": "26.0",
            "app_version": "4.1"} | more)
        return installation


def look_at(browser, name):
    """The dialog as it is, in both themes."""
    examine(browser)
    browser.picture(f"why-{name}")
    browser.look(theme="dark")
    examine(browser, ["color-contrast"])
    browser.look()


@story("device")
def tells_why_a_device_got_a_campaign_or_not(world):
    browser, sent = world.browser, Sent(world)
    run = sent.run["id"]
    browser.open(world.page(f"/devices/{sent.rejected}"))
    browser.see("Apple answered 400 BadDeviceToken")
    browser.click("Why?")
    browser.see(f"Apple rejected “{sent.name}” for this device.")
    browser.see("Apple rejected the push: Wrong token or environment.")
    assert browser.path() == world.page(f"/devices/{sent.rejected}?why={run}"), browser.path()
    rules = browser.run(RULES)
    assert rules[-1] == ["Not passed", "Apple", True] and all(rule[0] == "Passed" and not rule[2] for rule in rules[:-1]), rules
    assert [rule[1] for rule in rules[:3]] == ["Registration", "Audience", "Permission"], rules
    assert json.loads(browser.run("return document.querySelector('.why pre').innerText"))["aps"] == BODY["aps"]
    look_at(browser, "rejected")
    asked = browser.run(ASKED)
    browser.press("Escape")
    browser.wait(lambda: browser.path() == world.page(f"/devices/{sent.rejected}"), "the address of the device")
    assert browser.focused().startswith("Why? "), browser.focused()
    browser.settle_anyhow()
    assert browser.run(ASKED) == asked, "the history is read again"

    # The address can be shared.
    browser.open(world.page(f"/devices/{sent.denied}?why={run}"))
    browser.see(f"“{sent.name}” was not sent to this device.")
    browser.see("Notifications were denied on the device.")
    assert browser.run(RULES)[-1] == ["Not passed", "Permission", True], browser.run(RULES)
    look_at(browser, "denied")

    # A campaign that never reached it is found by its name.
    browser.open(world.page(f"/devices/{sent.outside}"))
    ask(browser, sent.name)
    browser.see(f"“{sent.name}” was not for this device.")
    assert browser.path() == world.page(f"/devices/{sent.outside}?why-campaign={sent.campaign}"), browser.path()
    conditions = browser.run("return [...document.querySelectorAll('.why-conditions li > p')].map((each) => [each.querySelector('svg').getAttribute('aria-label'), each.innerText.trim()])")
    assert conditions == [["Not met", "All of these"], ["Not met", f"The tag {sent.tag} is set"], ["Met", "App version is at least 4"]], conditions
    browser.see("The conditions are checked with the values that the device has today.")
    assert browser.run(RULES)[-1] == ["Not passed", "Audience", True], browser.run(RULES)
    look_at(browser, "outside")
    browser.reload()
    browser.see(f"“{sent.name}” was not for this device.")
    browser.click("Close")
    browser.wait(lambda: browser.path() == world.page(f"/devices/{sent.outside}"), "the address of the device")
    with browser.expecting("404 ("):
        ask(browser, "Pages draft")
        browser.see("This campaign was not sent yet.")
        look_at(browser, "unsent")


def ask(browser, name):
    browser.fill("Ask about a campaign", name)
    browser.wait(lambda: name in browser.run("return document.querySelector('.ask [role=option][aria-selected=true]')?.innerText ?? ''"), "the campaign")
    browser.press("Enter")


@story("device", "person")
def tells_what_became_of_the_pushes_to_a_person(world):
    browser, workspace, path = world.browser, world.workspace, world.workspace.path
    accepted = world.api.get(f"{path}/runs/{workspace.ids['run']}/deliveries?outcome=accepted&limit=200")["data"]
    device = next(each for each in accepted if each["user_id"] and each["user_id"] != workspace.ids["user"])
    at = f"{path}/devices/{device['installation']}"
    message = world.api.get(f"{at}/why?run={workspace.ids['run']}")["payload"]["i"]
    now = datetime.now(timezone.utc).isoformat()
    answer = world.api.post(f"{path}/acknowledgements", {"events": [
        {"message_id": message, "at": now, **each} for each in (
            {"kind": "opened"}, {"kind": "action", "action": "buy"}, {"kind": "text", "action": "reply", "text": "Two seats"},
            {"kind": "converted", "action": "purchase", "value": 24.5})]})
    assert not answer["failed"], answer
    told = ("opened", "pressed the button buy", "replied: Two seats", "converted: purchase · value 24.5")
    browser.open(world.page(f"/devices/{device['installation']}"))
    shown = browser.run(EVENTS, ".history-entry:has(a[href$='/runs/%s'])" % workspace.ids["run"])
    assert all(each in shown for each in told), shown
    # The simulated phone reports by chance that the push was delivered.
    stored = world.api.get(f"{at}/deliveries")["data"]
    events = next(each for each in stored if each["run_id"] == workspace.ids["run"])["events"]
    assert shown.count("follows from a later report") == sum(each["is_implied"] for each in events), (shown, events)
    assert sum(each["kind"] == "delivered" for each in events) == 1 and shown.count("delivered") == 1, (shown, events)

    browser.open(world.page(f"/people/{device['user_id']}"))
    browser.see("Pushes to this person")
    assert browser.run("return document.querySelectorAll('.history-entry').length") > 0
    browser.run("document.querySelector('.history-entry button').scrollIntoView({ block: 'center' }); document.querySelector('.history-entry button').click()")
    browser.wait(lambda: "why=" in browser.path(), "the question in the address")
    asked = parse_qs(urlsplit(browser.path()).query)
    # Other stories send to everybody meanwhile.
    history = world.api.get(f"{path}/people/{device['user_id']}/deliveries?limit=20")["data"]
    entry = next(each for each in history if [each["run_id"]] == asked["why"] and [each["installation"]] == asked["device"])
    name = entry["campaign_name"]
    browser.wait(lambda: browser.sees(f"“{name}” was ") or browser.sees(f"Apple rejected “{name}”"), lambda: f"the answer about {name}")
    look_at(browser, "person")


@story("device", "person")
def goes_on_where_no_push_was_found_yet(world):
    browser, workspace = world.browser, world.workspace
    with answering(browser, "/deliveries", {"data": [], "next_cursor": "MS4x"}):
        for page in (f"/devices/{workspace.ids['installation']}", f"/people/{workspace.ids['user']}"):
            browser.open(world.page(page))
            browser.see("None so far; there are more pages.")
            browser.click("Older")
            browser.wait(lambda: "cursor=" in browser.path(), "the next page")
            browser.see("None so far; there are more pages.")
            browser.click("Newer")
            browser.wait(lambda: "cursor=" not in browser.path(), "the first page")
    examine(browser)
    browser.picture("history-further")


@story("device")
def says_what_a_device_was_when_a_push_was_sent(world):
    browser, sent = world.browser, Sent(world)
    browser.open(world.page(f"/devices/{sent.denied}"))
    browser.see("Notifications are off on this phone")
    assert not browser.sees("then in German"), "it is told although it is so today"
    sent.register("denied", "denied", [sent.tag], locale="fr-FR", app_version="4.2")
    browser.reload()
    browser.see("then in German (Germany), app 4.1")
    assert not browser.sees("app 4.1, iOS"), "the iOS version is told although it is so today"


@story("device")
def tells_the_tokens_of_an_installation_apart(world):
    browser, installation = world.browser, f"voip-{uuid.uuid4().hex[:6]}"
    for kind in ("alert", "voip"):
        world.api.send("PUT", f"{world.workspace.path}/devices/{installation}?kind={kind}", {
            "token": uuid.uuid4().hex * 2, "environment": "production", "authorization_status": "denied", "user_id": installation})
    is_for_calls = lambda: "Calls (VoIP)" in browser.run("return document.querySelector('.facts')?.innerText ?? ''")
    browser.open(world.page(f"/devices/{installation}"))
    assert not is_for_calls(), "the token for calls is shown"
    browser.run("document.querySelector('main a[href$=\"?kind=voip\"]').click()")
    browser.wait(is_for_calls, "the token for calls")
    browser.run("history.back()")
    browser.wait(lambda: not is_for_calls() and browser.sees("Calls (VoIP)"), "the other token again")


@story("report", "people")
def counts_due_times_and_recipients_as_the_api_does(world):
    browser, sent = world.browser, Sent(world)
    run, path = sent.run["id"], sent.path
    times = world.api.get(f"{path}/runs/{run}/due-times")["data"]
    assert len(times) == 2, times
    browser.open(world.page(f"/campaigns/{sent.campaign}/runs/{run}"))
    browser.see("Due times")
    used = [term for term in TERMS if term == "targeted" or sent.run[term]]
    rows = browser.run(ROWS, ".due-times")
    assert [row[1:] for row in rows] == [[str(time[term]) for term in used] for time in times], (rows, times)
    browser.picture("due-times")
    links = browser.run("return [...document.querySelectorAll('.due-times tbody tr:nth-child(2) a')].map((each) => each.getAttribute('href'))")
    people = world.page(f"/campaigns/{sent.campaign}/runs/{run}/people")
    assert links == [f"{people}?due_at={quote(times[1]['due_at'])}", f"{people}?due_at={quote(times[1]['due_at'])}&kind=rejected"], links
    browser.open(links[1])
    browser.see("1 recipient")
    (row,) = browser.run(ROWS, "main")
    assert row[2].startswith("rejected") and row[4:6] == ["400", "de-DE"], row
    # A run with one due time needs no table.
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/runs/{world.workspace.ids['run']}"))
    browser.see("Reactions")
    assert not browser.sees("Due times"), "one due time is told as a table"


@story("people")
def filters_and_exports_recipients(world):
    browser, workspace = world.browser, world.workspace
    run, people = workspace.ids["run"], world.page(f"/campaigns/{workspace.campaigns['sent']}/runs/{workspace.ids['run']}/people")
    groups = world.api.get(f"{workspace.path}/statistics/totals?run={run}&by=locale")["groups"]
    chosen = groups[0]
    matching = deliveries(world, run, f"locale={quote(chosen['value'])}&outcome=accepted")
    assert len(matching) == chosen["accepted"], f"{len(matching)} of {chosen}"
    browser.open(people)
    browser.wait(lambda: chosen["value"] in browser.find("Language when it was sent", "field").text, "the languages")
    label = next(each for each in browser.find("Language when it was sent", "field").text.splitlines() if f"· {chosen['value']} (" in each)
    assert label.strip().endswith(f"({chosen['targeted']})"), label
    browser.choose("Language when it was sent", label.strip())
    browser.click("accepted", group="Outcome")
    browser.wait(lambda: browser.path() == f"{people}?locale={chosen['value']}&kind=accepted", "the filters in the address")
    browser.see(f"{len(matching)} recipients")
    browser.wait(lambda: {row[5] for row in browser.run(ROWS, "main")} == {chosen["value"]}, "recipients with this language")
    browser.picture("people-filtered")

    folder = world.server.folder / f"recipients-{uuid.uuid4().hex[:6]}"
    folder.mkdir()
    browser.downloads(folder)
    browser.click("Export")
    browser.click("CSV, for spreadsheets", "menuitem")
    lines = list(csv.DictReader(arrived(browser, folder / f"recipients-{run}.csv").splitlines()))
    assert {each["installation"] for each in lines} == {each["installation"] for each in matching}, lines[:3]
    browser.click("Export")
    browser.click("NDJSON", "menuitem")
    found = [json.loads(line) for line in arrived(browser, folder / f"recipients-{run}.ndjson").splitlines()]
    assert len(found) == len(matching) and {each["locale"] for each in found} == {chosen["value"]}, found[:3]

    browser.click("Clear the filters")
    browser.wait(lambda: browser.path() == people, "the address without filters")
    browser.choose("Reports of the device", "Pressed a button")
    browser.wait(lambda: "event=action" in browser.path(), "the filter in the address")
    pressed = deliveries(world, run, "event=action")
    browser.wait(lambda: len(browser.run(ROWS, "main")) == min(50, len(pressed)), "recipients who pressed a button")


def deliveries(world, run, parameters):
    """All recipients that match, whatever their number."""
    found, cursor = [], ""
    while cursor is not None:
        answer = world.api.get(f"{world.workspace.path}/runs/{run}/deliveries?limit=200&{parameters}{cursor and '&cursor=' + cursor}")
        found += answer["data"]
        cursor = answer["next_cursor"]
    return found


PICK = """
window.saved = "";
window.showSaveFilePicker = async ({ suggestedName }) => ({
  createWritable: async () => new WritableStream({ write(chunk) { window.savedName = suggestedName; window.saved += new TextDecoder().decode(chunk); } }),
});
"""


@story("people")
def saves_a_file_with_progress(world):
    browser, run = world.browser, world.workspace.ids["run"]
    browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/runs/{run}/people"))
    browser.run(PICK)
    browser.click("Export")
    browser.click("CSV, for spreadsheets", "menuitem")
    count = len(deliveries(world, run, ""))
    browser.see(f"recipients-{run}.csv is saved: {count} rows.")
    lines = browser.run("return window.saved").splitlines()
    assert len(lines) == count + 1 and browser.run("return window.savedName") == f"recipients-{run}.csv", lines[:2]


@story("people")
def says_that_the_list_of_recipients_was_deleted(world):
    browser, workspace = world.browser, world.workspace
    run = world.api.get(f"{workspace.path}/runs/{workspace.ids['run']}")
    with answering(browser, f"/runs/{run['id']}", run | {"recipients_deleted_at": "2026-08-01T04:00:00Z"}):
        browser.open(world.page(f"/campaigns/{workspace.campaigns['sent']}/runs/{run['id']}/people"))
        browser.see("The list of recipients was deleted")
        browser.see("The totals of the run are kept.")
        assert not browser.has("Export"), "a list that was deleted is offered as a file"
        browser.picture("people-deleted")


@story("people", "sign-in")
def offers_no_export_to_those_who_may_not(world):
    browser, workspace = world.browser, world.workspace
    link = workspace.person(f"viewer-{uuid.uuid4().hex[:6]}@pages.example", "viewer")
    browser.visit(world.server.url)
    with browser.expecting("401 (Unauthorized)"):
        browser.open(world.server.url + "/" + link[link.index("#"):])
    browser.fill("New password", "seven quiet bells at noon")
    browser.click("Save and sign in")
    browser.wait(lambda: browser.path() == world.page("/campaigns"), "the campaigns")
    browser.open(world.page(f"/campaigns/{workspace.campaigns['sent']}/runs/{workspace.ids['run']}/people"))
    browser.see("recipients")
    assert browser.run(ROWS, "main"), "there are no recipients"
    assert not browser.has("Export") and not browser.has("Why?", "link"), "a viewer is offered what they may not see"
