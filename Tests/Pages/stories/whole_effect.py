"""The global control group: from the setting to what all campaigns together have caused."""

import uuid

from accessibility import examine
from answers import answering
from stories import story


def side(people, converted, lower, upper):
    return {"people": people, "converted": converted, "rate": converted / people, "interval": {"lower": lower, "upper": upper}}


def period(number, starts, ends, finding, *, final, caused=None, caused_interval=None, interval=None):
    return {
        "id": str(number), "starts_at": f"{starts}T10:00:00.000Z", "ends_at": f"{ends}T10:00:00.000Z", "counts_from_at": f"{starts[:-2]}{int(starts[-2:]) + 7:02}T10:00:00.000Z",
        "effect": {
            "goal": {"metric": "event", "event_name": "purchase"}, "control_share": 50, "counted_at": "2026-11-20T10:00:00.000Z", "decides_at": f"{ends}T10:00:00.000Z",
            "final": final, "finding": finding, "treated": side(95_000, 9_975, 0.103, 0.107), "control": side(5_000, 450, 0.0823, 0.0983), "difference": 0.015,
            "interval": interval, "relative_interval": None, "caused": caused, "caused_interval": caused_interval, "detectable_difference": 0.012,
        },
    }


PERIODS = {"data": [
    period(2, "2026-11-01", "2027-01-30", "not_yet", final=False, interval={"lower": -0.002, "upper": 0.03}),
    period(1, "2026-08-03", "2026-11-01", "caused", final=True, caused=1425, caused_interval={"lower": 610, "upper": 2240}, interval={"lower": 0.0064, "upper": 0.0236}),
], "next_cursor": None}


@story("app", "analytics")
def holds_people_back_from_all_campaigns(world):
    browser, api = world.browser, world.api
    app = api.post("/v1/apps", {"name": "Quiet bells", "bundle_id": f"com.example.quiet.{uuid.uuid4().hex[:8]}"})["id"]
    path = f"/v1/apps/{app}"
    browser.open(f"/a/{app}/app#settings-control")
    browser.click("Some people get no campaigns for a while")
    browser.fill("Share of the people", "0.5")
    browser.press("Tab")
    with browser.expecting("422 ("):
        browser.click("Save", group="Global control group")
        browser.wait(lambda: browser.run("return document.querySelector('#settings-control [aria-invalid=true]')"), "the field at fault")
    browser.fill("Share of the people", "5")
    browser.fill("Length of a period", "60")
    browser.press("Tab")
    examine(browser)
    browser.picture("global-control-settings")
    browser.click("Save", group="Global control group")
    wanted = {"share": 50, "days": 60, "event_name": "purchase"}
    browser.wait(lambda: api.get(path)["global_control"] == wanted, "the setting on the server")
    browser.open(f"/a/{app}/analytics")
    browser.see("Nobody is counted in the first week")
    campaign = api.post(f"{path}/campaigns", {"name": "Quiet", "payload": {"aps": {"alert": "Ding"}}})["id"]
    browser.open(f"/a/{app}/campaigns/{campaign}/schedule")
    browser.click("Send it to them too: everybody must get it")
    browser.wait(lambda: api.get(f"{path}/campaigns/{campaign}")["ignores_global_control"], "the option on the server")
    for theme, language, width in (("light", "en", 1280), ("dark", "zh", 390)):
        browser.visit(world.server.url, world.cookie, language=language)
        browser.look(theme=theme, width=width, height=1200)
        with answering(browser, f"{path}/control-periods", PERIODS):
            browser.open(f"/a/{app}/analytics")
            browser.see("1,425")
            browser.run("document.querySelector('.part .banner').scrollIntoView({ block: 'center' })")
            browser.picture(f"global-control-effect-{language}-{theme}")
    browser.look()
    browser.visit(world.server.url, world.cookie)
    api.delete(path)
