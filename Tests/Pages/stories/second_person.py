"""A campaign that needs a second person: the request, a rejection, the difference, and the approval."""

import os
import uuid

from accessibility import examine
from stories import story
from stories.access import choose_password
from stories.wizard import make_key

LATER = "2030-06-01T18:00:00Z"
DEVICES = 3


def new_app(world):
    """An app of its own that requires approvals of all campaigns: its path in the API, and its id."""
    api = world.api
    name = uuid.uuid4().hex[:8]
    app = api.post("/v1/apps", {"name": "Approval bells", "bundle_id": f"com.example.approval.{name}", "approval_above": 0})
    path = f"/v1/apps/{app['id']}"
    key = make_key(world.server.folder / f"AuthKey_{name}.p8").read_text(encoding="utf-8")
    api.post(f"{path}/credentials", {"key_id": name.upper().ljust(10, "X"), "team_id": "PAGES12345", "p8": key, "environments": ["development"]})
    for _ in range(DEVICES):
        token = os.urandom(32).hex()
        api.send("PUT", f"{path}/devices/{uuid.uuid4()}", {"token": token, "environment": "development"})
    return path, app["id"]


def sign_in(world, role, app):
    """Becomes a new person with this role in the app. Returns their session."""
    link = world.workspace.person(f"{uuid.uuid4().hex[:8]}@pages.example", role, app)
    choose_password(world, link[link.index("#"):])
    return next(each["value"] for each in world.browser.driver.get_cookies() if each["name"] == "belfry_session")


def text(english, japanese):
    """The content of a campaign in two languages."""
    payload = lambda body: {"aps": {"alert": {"title": "Moon Lovers", "body": body}}}
    return {"payload": payload(english), "variants": {"ja": payload(japanese)}}


def tick_all(browser):
    for box in browser.run("return [...document.querySelectorAll('.warning-row input:not(:checked)')]"):
        box.click()
    browser.draw()


@story("editor", "approvals")
def is_approved_by_a_second_person(world):
    browser, api = world.browser, world.api
    path, app = new_app(world)
    campaign = api.post(f"{path}/campaigns", {
        "name": "Moon Lovers", "content": text("Tonight at eight.", "今夜八時です。"),
        "schedule": {"kind": "at", "at": LATER}})["id"]
    review = f"/a/{app}/campaigns/{campaign}/review"

    # A marketer may not send it, and asks.
    author = sign_in(world, "marketer", app)
    browser.open(review)
    browser.see("This campaign needs the approval of a second person.")
    tick_all(browser)
    examine(browser)
    browser.picture("approval-request")
    browser.fill("For the person who decides", "The last mail before the concert.")
    browser.click(f"Request approval for {DEVICES} devices")
    browser.see("You asked for the approval of exactly this")
    browser.see("Nobody approves a request of their own.")
    assert not browser.has(f"Approve {DEVICES} devices"), "an author approves their own"
    browser.picture("approval-waits")
    browser.open(f"/a/{app}/campaigns/{campaign}/content")
    browser.see("A change makes the request void.")
    browser.inspect()

    # A sender is asked: in the rail, in the title, in the list.
    second = sign_in(world, "sender", app)
    browser.open(f"/a/{app}")
    browser.see("1 campaign waits for your approval.")
    browser.picture("approval-dashboard")
    browser.open(f"/a/{app}/campaigns")
    browser.wait(lambda: browser.run("return document.title").startswith("(1) "), "the number in the title")
    browser.click("Approvals", "link")
    browser.see("The last mail before the concert.")
    examine(browser)
    browser.picture("approval-list")
    browser.click("Moon Lovers", "link")
    browser.see("asks for the approval of exactly this")
    browser.see("This is the first request for this campaign")
    reject = browser.find("Reject", "button")
    assert browser.run("return arguments[0].dataset.reason", reject) == "Say in the comment why you reject it."
    browser.fill("Comment", "The concert begins at nine.")
    browser.click("Reject", "button")
    browser.see("rejected it")
    browser.inspect()

    # The author mends it, and asks again.
    browser.visit(world.server.url, author)
    browser.open(f"/a/{app}/campaigns/{campaign}/content")
    browser.see("The concert begins at nine.")
    version = api.get(f"{path}/campaigns/{campaign}")
    api.send("PATCH", f"{path}/campaigns/{campaign}", {"content": text("Tonight at nine.", "今夜九時です。")})
    assert version["approval"]["state"] == "rejected", version["approval"]
    browser.open(review)
    browser.see("The concert begins at nine.")
    tick_all(browser)
    browser.click(f"Request approval for {DEVICES} devices")
    browser.see("You asked for the approval of exactly this")
    browser.inspect()

    # The second person sees what has changed, and approves it: it is scheduled by that.
    browser.visit(world.server.url, second)
    browser.open(review)
    browser.see("Changed since")
    browser.see("Tonight at eight.")
    changes = browser.run("return [...document.querySelectorAll('.approval .diff > div')].map((each) => each.innerText)")
    assert changes == ["Text\nTonight at eight.\nTonight at nine.", "Japanese: Text\n今夜八時です。\n今夜九時です。"], changes
    examine(browser)
    browser.picture("approval-decide")
    for theme, language, width in (("dark", "en", 390), ("light", "zh", 1280)):
        browser.visit(world.server.url, second, language=language)
        browser.look(theme=theme, width=width, height=1600)
        browser.open(review)
        browser.see("Tonight at nine.")
        browser.picture(f"approval-decide-{language}-{theme}-{width}")
    browser.look()
    browser.visit(world.server.url, second)
    browser.open(review)
    browser.click(f"Approve {DEVICES} devices")
    browser.see("Approved.")
    browser.wait(lambda: api.get(f"{path}/campaigns/{campaign}")["state"] == "scheduled", "the schedule")
    browser.wait(lambda: not browser.run("return document.title").startswith("("), "the title without a number")
    browser.open(f"/a/{app}/approvals?tab=decided")
    browser.see("The concert begins at nine.")
    browser.see("Approved")
    browser.look(width=390)
    browser.picture("approval-list-narrow")
    browser.look()
    browser.visit(world.server.url, world.cookie)
    api.delete(path)


@story("app")
def says_which_campaigns_need_an_approval(world):
    browser, api = world.browser, world.api
    path, app = new_app(world)
    browser.open(f"/a/{app}/app#settings-approval")
    browser.click("Those for many devices")
    browser.fill("More than", "500")
    examine(browser)
    browser.picture("approval-settings")
    browser.click("Save", group="Approval")
    browser.wait(lambda: api.get(path)["approval_above"] == 500, "the number")
    browser.click("None", group="Approval")
    browser.click("Save", group="Approval")
    browser.wait(lambda: api.get(path)["approval_above"] is None, "no number")
    browser.wait(lambda: not browser.has("Approvals", "link"), "no page of approvals")
    api.delete(path)
