"""A campaign with two texts, from the composer to the report."""

import time

from accessibility import examine
from stories import story
from workspace import BODY

# The people of a test are counted once a minute.
COUNT_SECONDS = 90
SEEN = "return document.querySelector('.phone')?.innerText ?? ''"


@story("editor")
def composes_and_sends_an_ab_test(world):
    browser = world.browser
    workspace = world.workspace
    campaign = workspace.make("campaigns", {"name": "Pages A or B", "payload": {"aps": {"alert": {"title": "Moon Lovers", "body": "Book seats now"}}}})
    path = f"{workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.click("Test a variant")
    browser.wait(lambda: browser.value("Name of the variant") == "B", "the second variant")
    browser.fill("Text", "Tonight at eight")
    browser.fill("Share of the people, %", "20")
    browser.press("Tab")
    browser.wait(
        lambda: [each["weight"] for each in world.api.get(path)["variants"] or []] == [800, 200],
        "the weights on the server")
    made = world.api.get(path)
    assert made["payload"] is None, made
    assert [each["content"]["payload"]["aps"]["alert"]["body"] for each in made["variants"]] == ["Book seats now", "Tonight at eight"]
    examine(browser)
    browser.picture("ab-composer")
    browser.choose("Decided by", "An event within three days")
    browser.fill("Name of the event", "purchase")
    browser.press("Tab")
    browser.wait(lambda: world.api.get(path)["goal"] == {"metric": "event", "event_name": "purchase"}, "the goal on the server")
    browser.choose("Decided by", "Opening within a day")
    browser.wait(lambda: world.api.get(path)["goal"] == {"metric": "opened"}, "the other goal on the server")
    # The first text is as it was.
    browser.click("A · 80%")
    browser.wait(lambda: browser.value("Text") == "Book seats now", lambda: f"the text of A; it is {browser.value('Text')}")
    # A third one, and away with it.
    browser.click("Variant")
    browser.wait(lambda: browser.value("Name of the variant") == "C", "the third variant")
    browser.click("Remove C")
    browser.see("C is removed.")
    browser.wait(lambda: len(world.api.get(path)["variants"]) == 2, "two variants on the server")

    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.click("B ·")
    browser.wait(lambda: "Tonight at eight" in browser.run(SEEN), lambda: f"the text of B on the phone; it shows {browser.run(SEEN)}")
    browser.see("Decided by: Opening within a day.")
    browser.see("people in the smallest variant, ")
    browser.see("have too few people: the smallest gets about")
    examine(browser)
    browser.picture("ab-review")

    world.api.post(f"{path}/start")
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Verified")
    run = world.api.get(f"{path}/runs")["data"][0]
    report = world.api.get(f"{workspace.path}/runs/{run['id']}")
    assert sum(each["targeted"] for each in report["variants"]) == run["targeted"], report
    browser.see("These shares alone do not show which variant is better")
    examine(browser)
    browser.run("document.querySelector('[aria-label=Variants]').scrollIntoView({ block: 'center' })")
    browser.picture("ab-report")
    # A number leads to its recipients.
    links = browser.run("return [...document.querySelectorAll('[aria-label=Variants] a.figure-link')].map((each) => each.getAttribute('href'))")
    browser.open(links[0])
    expected = report["variants"][0]["targeted"]
    shown = browser.run("return document.querySelectorAll('main tbody tr').length")
    assert shown == min(expected, 50), f"{shown} rows for {expected} devices"


@story("report", late=True)
def says_what_an_ab_test_has_shown(world):
    """The demo has sent two. With so few phones, the answer is that it is too early."""
    browser = world.browser
    path = f"/v1/apps/{world.workspace.app}/campaigns"
    campaign = next(each["id"] for each in world.api.get(f"{path}?limit=100")["data"] if each["name"] == "Seats for tonight")
    end = time.monotonic() + COUNT_SECONDS
    while (result := world.api.get(f"{path}/{campaign}/test"))["counted_at"] is None:
        assert time.monotonic() < end, "the people are not counted"
        time.sleep(1)
    people = sum(each["people"] for each in result["variants"])
    assert people > 0 and result["finding"] == "not_yet", result
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Too early to compare. Engaged so far: A ")
    examine(browser)
    browser.picture("ab-result")


@story("editor")
def ends_an_ab_test_with_one_text(world):
    browser = world.browser
    workspace = world.workspace
    other = {"aps": {"alert": "Only this"}}
    campaign = workspace.make("campaigns", {"name": "Pages one text", "variants": [{"payload": BODY}, {"payload": other}]})
    path = f"{workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.click("Remove A")
    browser.see("One text is left, and everyone gets it.")
    browser.wait(lambda: (world.api.get(path)["content"] or {}).get("payload") == other, lambda: f"the other text; it is {world.api.get(path)}")
    browser.click("Undo")
    browser.wait(lambda: len(world.api.get(path)["variants"] or []) == 2, "the test again")
    assert world.api.get(path)["variants"][0]["content"] == {"payload": BODY}


@story("editor", "report")
def tests_a_part_and_decides_about_the_rest(world):
    browser = world.browser
    workspace = world.workspace
    other = {"aps": {"alert": "Tonight at nine"}}
    campaign = workspace.make("campaigns", {"name": "Pages winner", "variants": [{"payload": BODY}, {"payload": other}]})
    path = f"{workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.choose("Who gets the test", "A part first, then the winner to the rest")
    browser.see("If no variant has won, the rest gets")
    browser.fill("Part that is tested", "30")
    browser.press("Tab")
    browser.choose("If no variant has won, the rest gets", "what a person decides within a day")
    rule = {"share": 300, "decision": "automatic", "after_seconds": 14400, "without_winner": "ask"}
    browser.wait(lambda: world.api.get(path)["winner"] == rule, lambda: f"the rule on the server; it is {world.api.get(path)['winner']}")
    examine(browser)
    browser.run("document.querySelector('.variant-goal').scrollIntoView({ block: 'start' })")
    browser.picture("winner-composer")
    browser.look(width=390)
    browser.picture("winner-composer-narrow")
    browser.look()
    browser.choose("Decided by", "The values of an event within three days")
    browser.choose("The winner is chosen", "by Belfry, as soon as it is clear")
    browser.see("At the latest, after the last push of the test")
    clear = {**rule, "decision": "when_clear"}
    value = {"metric": "value", "event_name": "purchase"}
    browser.wait(
        lambda: world.api.get(path)["winner"] == clear and world.api.get(path)["goal"] == value,
        lambda: f"the rule and the goal on the server; they are {world.api.get(path)['winner']}, {world.api.get(path)['goal']}")
    browser.picture("winner-clear")
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.see("Decided by: the values of purchase within three days.")
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.choose("Decided by", "Engagement within a day: opened, pressed or replied")
    browser.choose("The winner is chosen", "by a person, in the report")
    browser.wait(lambda: world.api.get(path)["winner"] == {"share": 300, "decision": "by_hand"}, "the other rule on the server")

    world.api.post(f"{path}/start")
    browser.wait(lambda: world.api.get(f"{path}/runs")["data"][0]["state"] == "waiting", "the test to be sent")
    run = world.api.get(f"{path}/runs")["data"][0]
    assert 0 < run["pending"] < run["targeted"] and run["accepted"] > 0, run
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("The rest waits for the decision of the A/B test.")
    browser.see(f"Your decision: {run['pending']} devices wait.")
    examine(browser)
    browser.picture("winner-waits")
    browser.click("Decide now")
    browser.see("Which variant does the rest get?")
    browser.run("document.querySelector('dialog input[value=\"1\"]').click()")
    browser.picture("winner-decide")
    browser.look(theme="dark", width=390)
    browser.picture("winner-decide-narrow")
    browser.look()
    browser.click(f"Send B to {run['pending']} devices")
    browser.see(f"chose B for the {run['pending']} other devices.")
    browser.see("Verified")
    ended = world.api.get(f"{path}/runs")["data"][0]
    assert ended["pending"] == 0 and ended["targeted"] == run["targeted"], ended
    rest = world.api.get(f"{path}/test")["rest"]
    assert rest["state"] == "decided" and rest["variant"] == 1 and rest["reason"] == "by_hand", rest
    browser.picture("winner-decided")
