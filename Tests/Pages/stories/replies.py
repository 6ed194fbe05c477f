"""The inbox of replies: what people typed into notifications."""

import csv
import uuid
from datetime import datetime, timedelta, timezone

from answers import answering
from files import arrived
from stories import story
from workspace import BODY

# Chrome tells each digit of a year that is typed.
TYPE = """
const [from] = document.querySelectorAll(".reply-filters input[type=date]");
for (const year of ["0002", "0020", "0202", "2026"]) {
  from.value = `${year}-01-01`;
  for (const name of ["input", "change"]) from.dispatchEvent(new Event(name, { bubbles: true }));
}
"""
ASKED = "return performance.getEntriesByType('resource').map((each) => new URL(each.name).searchParams.get('since')).filter(Boolean)"
# The key that leads to the field is a part of its label.
SEARCH = "Search the texts/"


@story("replies")
def finds_exports_and_erases_replies(world):
    browser, tag = world.browser, uuid.uuid4().hex[:6]
    # Nothing is sent to phones on which notifications are off, and some have removed the app meanwhile.
    devices = world.api.get(f"{world.workspace.path}/devices?limit=200&registered=true")["data"]
    people = [each["user_id"] for each in devices if each["user_id"] and each["authorization_status"] == "authorized"]
    user = next(each for each in people if accepted_push(world, each))
    texts = [f"Yes, two seats ({tag})", f"好的，晚上见 ({tag})", f"No, not today ({tag})"]
    for text in texts:
        reply(world, user, text)
    browser.open(world.page("/replies"))
    browser.fill(SEARCH, tag)
    browser.wait(lambda: browser.path() == world.page(f"/replies?q={tag}"), "the search in the address")
    # The newest is the first.
    browser.wait(lambda: shown(browser) == texts[::-1], lambda: f"the replies; there are {shown(browser)}")
    browser.see(user)
    browser.see("Single push")
    browser.choose("Period", "Today")
    browser.wait(lambda: "period=1" in browser.path() and len(shown(browser)) == 3, "the replies of today")
    browser.reload()
    assert shown(browser) == texts[::-1], shown(browser)
    browser.picture("replies")
    browser.choose("Period", "Chosen days")
    browser.wait(lambda: "period=days" in browser.path(), "the fields for the days")
    browser.run(TYPE)
    browser.wait(lambda: "from=2026-01-01" in browser.path() and shown(browser) == texts[::-1], "the replies since that day")
    assert all(each > "2025-12-31" for each in browser.run(ASKED)), browser.run(ASKED)

    folder = world.server.folder / f"replies-{tag}"
    folder.mkdir()
    browser.downloads(folder)
    browser.click("Export CSV")
    lines = list(csv.DictReader(arrived(browser, folder / "replies.csv").splitlines()))
    assert {each["text"].lstrip("'") for each in lines} == set(texts), lines

    browser.click(f"Erase the reply “{texts[2]}”")
    browser.see("Statistics still count the reply.")
    browser.click("Erase the reply")
    browser.see("The reply is erased.")
    browser.wait(lambda: texts[2] not in shown(browser), "the text to be gone")
    stored = world.api.get(f"{world.workspace.path}/replies?search={tag}")["data"]
    assert {each["text"] for each in stored} == set(texts[:2]), stored
    browser.fill(SEARCH, "nobody wrote this")
    browser.see("Nothing matches “nobody wrote this”.")
    browser.click("Clear the filters")
    browser.wait(lambda: texts[0] in shown(browser), "all replies again")


@story("replies", "report", "person")
def leads_from_a_reply_to_its_person_and_campaign(world):
    browser, ids = world.browser, world.workspace.ids
    at = lambda days: (datetime.now(timezone.utc) - timedelta(days=days)).isoformat()
    entry = lambda **more: {
        "campaign_id": world.workspace.campaigns["sent"], "campaign_name": "Pages sent", "run_id": ids["run"], "message_number": "1", "device_id": "1",
        "installation": ids["installation"], "user_id": ids["user"], "action": "reply", "text": "I'll be there", "at": at(0), "received_at": at(0)} | more
    erased = entry(message_number="2", campaign_id=None, campaign_name=None, run_id=None, installation=None, user_id=None, action="unknown", text="Who is this?", at=at(4), received_at=at(3))
    with answering(browser, "/replies", {"data": [entry(), erased], "next_cursor": None}):
        browser.open(world.page("/replies"))
        rows = browser.run("return [...document.querySelectorAll('.reply')].map((each) => each.innerText)")
        # The title of the button, and not its identifier.
        browser.wait(lambda: "Button: Reply" in " ".join(browser.run("return document.querySelector('.reply').textContent").split()), "the button's title")
        assert "Erased" in rows[1] and "Single push" in rows[1] and "unknown" in rows[1] and "(typed " in rows[1], rows
        days = browser.run("return [...document.querySelectorAll('.reply-day h2')].map((each) => each.innerText)")
        assert len(days) == 2 and "today" in days[0] and "3 days ago" in days[1], days
        browser.click("Pages sent", "link")
        browser.wait(lambda: browser.path() == world.page(f"/campaigns/{world.workspace.campaigns['sent']}/runs/{ids['run']}"), "the report")
        browser.open(world.page("/replies"))
        browser.click(ids["user"], "link")
        browser.wait(lambda: browser.path() == world.page(f"/people/{ids['user']}"), "the person")
    with answering(browser, "/replies", {"data": [], "next_cursor": None}):
        browser.open(world.page("/replies"))
        browser.see("A category with an action that has a text field.")
        browser.click("To the categories")
        browser.wait(lambda: browser.path() == world.page("/categories"), "the categories")


def accepted_push(world, user):
    """Sends a push to a person, and returns a device that Apple accepted it for, or None."""
    path = world.workspace.path
    push = world.api.post(f"{path}/pushes", {"user_ids": [user], "payload": BODY})
    if push["id"] is None:
        return None
    ended = world.api.wait(f"{path}/pushes/{push['id']}", lambda answer: all(each["outcome"] != "pending" for each in answer["devices"]), "the push")
    return next((each for each in ended["devices"] if each["outcome"] == "accepted"), None)


def reply(world, user, text):
    """Sends a push to a person, one of whose devices then reports a reply."""
    path, device = world.workspace.path, accepted_push(world, user)
    assert device, f"no device of {user} got the push"
    answer = world.api.post(f"{path}/acknowledgements", {"events": [{
        "message_id": device["message_id"], "kind": "text", "action": "reply", "text": text, "at": datetime.now(timezone.utc).isoformat()}]})
    assert answer["stored"] and not answer["failed"], answer


def shown(browser):
    return browser.run("return [...document.querySelectorAll('.reply-text')].map((each) => each.innerText)")
