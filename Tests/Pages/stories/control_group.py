"""A control group: from the composer to what the campaign has caused."""

import time

from accessibility import examine
from stories import story
from workspace import BODY

# The people of a campaign are counted once a minute.
COUNT_SECONDS = 90


@story("editor", "report")
def holds_back_a_control_group(world):
    browser = world.browser
    workspace = world.workspace
    campaign = workspace.make("campaigns", {"name": "Pages control", "payload": BODY})
    path = f"{workspace.path}/campaigns/{campaign}"
    browser.open(world.page(f"/campaigns/{campaign}/audience"))
    browser.choose("Control group", "A part gets nothing, to show the effect")
    browser.see("Part that gets nothing")
    browser.fill("Part that gets nothing", "30")
    browser.press("Tab")
    browser.fill("Event that shows the effect", "purchase")
    browser.press("Tab")
    goal = {"metric": "event", "event_name": "purchase"}
    browser.wait(
        lambda: world.api.get(path)["control_share"] == 300 and world.api.get(path)["goal"] == goal,
        lambda: f"the control group on the server; it is {world.api.get(path)['control_share']}, {world.api.get(path)['goal']}")
    examine(browser)
    browser.run("document.querySelector('.variant-goal').scrollIntoView({ block: 'center' })")
    browser.picture("control-composer")
    browser.look(width=390)
    browser.picture("control-composer-narrow")
    browser.look()
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.see("in the control group")
    browser.picture("control-review")
    world.api.post(f"{path}/start")
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("Verified")
    browser.see("The person is in the control group")
    run = world.api.get(f"{path}/runs")["data"][0]
    held = world.api.get(f"{workspace.path}/runs/{run['id']}/deliveries?limit=200&outcome=suppressed")["data"]
    assert any(each["reason"] == "control group" for each in held), held[:3]


@story("report", late=True)
def says_what_a_campaign_has_caused(world):
    """The demo has sent one, and people have bought since."""
    browser = world.browser
    path = f"/v1/apps/{world.workspace.app}/campaigns"
    campaign = next(each["id"] for each in world.api.get(f"{path}?limit=100")["data"] if each["name"] == "Season tickets")
    end = time.monotonic() + COUNT_SECONDS
    while (result := world.api.get(f"{path}/{campaign}/effect"))["counted_at"] is None:
        assert time.monotonic() < end, "the people are not counted"
        time.sleep(1)
    assert result["final"] and result["treated"]["converted"] > 0, result
    browser.open(world.page(f"/campaigns/{campaign}/report"))
    browser.see("What the campaign has caused")
    browser.see("Control group")
    examine(browser)
    browser.run("document.querySelector('.test-result').scrollIntoView({ block: 'start' })")
    browser.picture("effect")
    browser.look(width=390, theme="dark")
    browser.picture("effect-narrow")
    browser.look()
