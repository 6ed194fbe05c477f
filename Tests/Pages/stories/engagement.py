"""Who engaged: opened, pressed a button or replied, each device once."""

from stories import story
from workspace import BODY

TOLD = "return Object.fromEntries([...document.querySelectorAll('[data-reported]')].map((each) => [each.dataset.reported, each.querySelector('b').innerText]))"


@story("report", "people", "analytics")
def leads_with_those_who_engaged(world):
    browser = world.browser
    run = next(each for each in world.api.get(f"{world.workspace.path}/campaigns?state=sent&limit=200")["data"] if each["name"] == "Sunday concert")
    last = run["last_run"]
    total = world.api.get(f"{world.workspace.path}/statistics/totals?run={last['id']}&by=locale")["total"]
    assert max(total["opened"], total["actions"] and 1) <= total["engaged"] <= total["opened"] + total["actions"] + total["replies"], total
    browser.open(world.page(f"/campaigns/{run['id']}/report"))
    browser.wait(lambda: browser.run(TOLD).get("engaged") == str(total["engaged"]), lambda: f"{total['engaged']} engaged; the head shows {browser.run(TOLD)}")
    shown = lambda: browser.run("return [...document.querySelectorAll('.breakdown tbody tr')].map((each) => [...each.querySelectorAll('.share-number')].map((one) => Number(one.innerText))).flat()")
    browser.wait(lambda: sum(shown()) == total["engaged"], lambda: f"the breakdown to add up to {total['engaged']}; it has {shown()}")
    # Those who pressed a button are not among those who did not engage.
    others = world.api.get(f"{world.workspace.path}/runs/{last['id']}/deliveries?engaged=false&limit=200")["data"]
    assert all(not each["opened_at"] for each in others), "one of them opened it"
    browser.open(world.page(f"/campaigns/{run['id']}/runs/{last['id']}/people?engaged=true"))
    browser.wait(lambda: browser.run("return document.querySelectorAll('main tbody tr').length") == min(50, total["engaged"]), "the devices that engaged")


@story("editor")
def offers_sent_campaigns_to_follow_up(world):
    browser = world.browser
    draft = world.workspace.make("campaigns", {"name": "Pages follow-up", "payload": BODY, "audience": {"include": {"not": {"event": "engaged", "campaign": world.workspace.campaigns["sent"]}}}})
    browser.open(world.page(f"/campaigns/{draft}/audience"))
    browser.see("the person did not engage with “Pages sent”")
    options = browser.wait(lambda: browser.run("const pick = [...document.querySelectorAll('select')].find((each) => each.ariaLabel === 'Campaign'); return pick?.options.length > 1 && [...pick.options].map((each) => each.text)"), "the campaigns")
    assert "Pages sent" in options and "Pages follow-up" not in options and "Pages draft" not in options, options
    assert not any(each.isdigit() for each in options), options
