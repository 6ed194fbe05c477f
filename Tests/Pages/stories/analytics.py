"""The numbers of statistics are the API's, on the page Analytics, in a report, and on the dashboard."""

from urllib.parse import parse_qs, urlsplit

from accessibility import examine
from answers import answering
from stories import story
from workspace import BODY

SHOWN = """
const number = (text) => Number(text.replaceAll(",", ""));
return Object.fromEntries([...document.querySelectorAll("[data-measure]")].filter((each) => each.matches(".funnel li, .funnel-side li")).map((each) => [each.dataset.measure, number(each.querySelector("b").innerText)]));
"""
ROWS = """
const heads = [...document.querySelectorAll(".breakdown thead th")].map((each) => each.innerText);
return [...document.querySelectorAll(".breakdown tbody tr")].map((row) => Object.fromEntries([...row.children].map((cell, index) => [heads[index], cell.innerText.replaceAll(",", "").trim()])));
"""
TOUCHED = """
const link = document.querySelector(".compare thead a");
link.scrollIntoView({ block: "center" });
const { x, y, width, height } = link.getBoundingClientRect();
return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
"""
TODAY = "return Object.fromEntries([...document.querySelectorAll('[data-today]')].map((each) => [each.dataset.today, Number(each.querySelector('p').innerText.replaceAll(',', ''))]))"
FETCH = """
const [address, done] = arguments;
fetch(address).then(async (answer) => done([answer.status, answer.headers.get("Content-Type"), await answer.text()]), (error) => done([0, "", String(error)]));
"""
LISTEN = """
window.asked = [];
const { fetch } = window;
window.fetch = (address, ...rest) => {
  window.asked.push(String(address));
  return fetch(address, ...rest);
};
"""
EVENTS = ("opened", "influenced", "dismissed")


def statistics(world, query):
    return world.api.get(f"{world.workspace.path}/statistics/{query}")


def react(world):
    """People react in all ways to pushes that were sent one by one; their message ids are known."""
    devices = world.api.get(f"{world.workspace.path}/devices?limit=40")["data"]
    users = sorted({each["user_id"] for each in devices if each["user_id"] and each["registered"]})[:8]
    sent = world.api.post(f"{world.workspace.path}/pushes", {"user_ids": users, "payload": BODY})
    ids = [each["message_id"] for each in sent["devices"]]
    events = [{"message_id": each, "kind": kind} for each in ids for kind in EVENTS]
    events += [{"message_id": each, "kind": "action", "action": "track"} for each in ids]
    events += [{"message_id": each, "kind": "text", "action": "reply", "text": "Thanks"} for each in ids[:3]]
    events += [{"message_id": each, "kind": "converted", "action": "purchase", "value": 12.5} for each in ids[:2]]
    world.api.post(f"{world.workspace.path}/acknowledgements", {"events": events})
    world.api.wait(f"{world.workspace.path}/statistics/totals", lambda answer: answer["total"]["conversions"] >= 2, "the conversions to be counted")


@story("analytics")
def shows_the_numbers_of_the_api(world):
    browser = world.browser
    react(world)

    def same():
        """Devices report all the time: the page and the API are asked until neither has news for the other."""
        browser.open(world.page("/analytics"))
        total = statistics(world, "totals")["total"]
        shown = browser.run(SHOWN)
        assert set(shown) >= {"targeted", "accepted", "delivered", "engaged", "opened", "influenced", "actions", "replies", "conversions", "rejected", "suppressed"}, shown
        return all(shown[name] == total[name] for name in shown) and (shown, total)

    shown, total = browser.wait(same, lambda: f"{browser.run(SHOWN)} to be {statistics(world, 'totals')['total']}")
    assert shown["targeted"] == sum(shown[each] for each in ("accepted", "rejected", "suppressed", "expired", "cancelled", "unknown")), shown
    assert shown["influenced"] and shown["conversions"] and total["opened"], shown
    # Each finished campaign of the demo has its row with the API's numbers, which are those of its run.
    names = {each["id"]: each for each in world.api.get(f"{world.workspace.path}/campaigns?limit=200")["data"]}
    groups = {names[each["value"]]["name"]: each for each in statistics(world, "totals?by=campaign")["groups"] if each["value"] in names}
    rows = {each["Campaign"]: each for each in browser.run(ROWS)}
    demo = [name for name in ("Sunday concert", "Moon Lovers", "Last day of the sale", "Spring sale") if name in groups]
    assert len(demo) == 4, groups.keys()
    if browser.has("Show all", "button"):
        browser.run("[...document.querySelectorAll('.breakdown .button')].find((each) => each.innerText.startsWith('Show all')).click()")
        browser.settle()
        rows = {each["Campaign"]: each for each in browser.run(ROWS)}
    for name in demo:
        assert (rows[name]["Targeted"], rows[name]["Accepted"]) == (str(groups[name]["targeted"]), str(groups[name]["accepted"])), (rows[name], groups[name])
        assert rows[name]["Engaged (of accepted)"].split()[0] == str(groups[name]["engaged"]), (rows[name], groups[name])
    # A number that is all of a run leads to its devices.
    campaign = next(each for each in names.values() if each["name"] == demo[0])
    link = browser.run("return [...document.querySelectorAll('.breakdown tbody tr')].find((row) => row.innerText.startsWith(arguments[0])).querySelectorAll('a.figure-link')[1].getAttribute('href')", demo[0])
    assert link == world.page(f"/campaigns/{campaign['id']}/runs/{campaign['last_run']['id']}/people?kind=accepted"), link


@story("analytics")
def keeps_what_is_chosen_in_the_address(world):
    browser = world.browser
    campaign = world.workspace.campaigns["sent"]
    browser.open(world.page("/analytics?period=7&zone=Asia%2FTokyo&by=reason&measures=opened"))
    browser.see("Notifications are off on this phone")
    assert browser.value("Time zone") == "Asia/Tokyo"
    browser.choose("Unit", "Hour")
    browser.settle()
    assert "unit=hour" in browser.path(), browser.path()
    # Four lines, and no fifth.
    for name in ("Accepted", "Rejected", "Replies", "Dismissed"):
        browser.click(name, "button", "Lines of the chart")
    assert parse_qs(urlsplit(browser.path()).query)["measures"] == ["opened,accepted,rejected,replies"], browser.path()
    browser.see("A chart has at most 4 lines.")
    # A campaign is found by its name, with the keyboard.
    browser.fill("Campaigns", "Pages sent")
    browser.wait(lambda: browser.run("return document.querySelectorAll('.suggestions:not([hidden]) [aria-selected]').length === 1 && document.querySelector('.suggestions:not([hidden])').innerText.includes('Pages sent')"), "the campaign to be offered")
    browser.press("Enter")
    browser.wait(lambda: f"campaigns={campaign}" in browser.path(), "the campaign in the address")
    browser.settle()
    wanted = statistics(world, f"totals?campaigns={campaign}")["total"]["targeted"]
    browser.wait(lambda: browser.run(SHOWN)["targeted"] == wanted, lambda: f"{wanted} devices; it shows {browser.run(SHOWN)['targeted']}")
    # The choices are there again after a reload.
    browser.reload()
    assert browser.value("Unit") == "hour" and browser.run(SHOWN)["targeted"] == wanted
    examine(browser)
    browser.picture("analytics-chosen")
    browser.click("Own dates", "button")
    browser.run("const [from] = document.querySelectorAll('input[type=date]'); from.value = '2030-01-01'; from.dispatchEvent(new Event('change', { bubbles: true }))")
    browser.see("The first day is after the last one. Choose an earlier first day.")
    browser.click("Refresh")
    assert browser.run(SHOWN).get("targeted") == wanted, "wrong dates take the numbers away"
    browser.click("7 days", "button")
    browser.see("Pushes sent from")
    browser.settle()
    # A page that is being left is not drawn with the address of the next one.
    browser.run(LISTEN)
    browser.run("document.querySelector('.rail a[href$=\"/campaigns\"]').click()")
    browser.wait(lambda: browser.path() == world.page("/campaigns"), "the list of campaigns")
    browser.settle()
    assert not any("/statistics/" in each for each in browser.run("return window.asked")), browser.run("return window.asked")


@story("analytics")
def reads_a_chart_with_the_keyboard_and_as_a_table(world):
    browser = world.browser
    browser.open(world.page("/analytics?period=7&measures=accepted"))
    chart = browser.wait(lambda: browser.run("return document.querySelector('section[aria-label=\"Over time\"] [role=slider]')"), "the chart")
    says = lambda: chart.get_attribute("aria-valuetext")
    browser.run("arguments[0].focus()", chart)
    browser.press("Home")
    browser.wait(lambda: chart.get_attribute("aria-valuenow") == chart.get_attribute("aria-valuemin"), "the first day")
    days = [says()]
    # The last day is today, on which other stories send.
    for _ in range(5):
        browser.press("Right")
        days.append(browser.wait(lambda: says() != days[-1] and says(), lambda: f"the day after {days[-1]}"))
    units = statistics(world, "series?unit=day&time_zone=Europe/Berlin")["units"]
    told = sorted(int(each.rsplit(" ", 1)[1].replace(",", "")) for each in days)
    wanted = sorted([each["accepted"] for each in units][-7:-1])
    assert [each for each in told if each] == [each for each in wanted if each], (days, units)
    browser.click("Table", "button", "Over time")
    rows = lambda: browser.run("return [...document.querySelectorAll('section[aria-label=\"Over time\"] tbody tr')].map((each) => each.innerText.replaceAll(',', '').split(/\\s+/).at(-1))")
    browser.wait(rows, "the table")
    assert sorted(int(each) for each in rows()[:6] if each != "0") == [each for each in wanted if each], rows()


@story("analytics")
def compares_campaigns_side_by_side(world):
    browser = world.browser
    browser.open(world.page("/analytics"))
    names = lambda: browser.run("return [...document.querySelectorAll('.compare thead th a')].map((each) => each.innerText)")
    first = browser.wait(names, "campaigns to compare")
    browser.click(f"Remove {first[0]}", "button", "Compare campaigns")
    browser.wait(lambda: names() == first[1:], lambda: f"{first[1:]}; there are {names()}")
    chosen = parse_qs(urlsplit(browser.path()).query)["compare"][0].split(",")
    opened = {each["value"]: each["opened"] for each in statistics(world, f"totals?by=campaign&campaigns={','.join(chosen)}")["groups"]}
    shown = browser.run("return [...document.querySelectorAll('.compare [data-measure=opened] td')].map((each) => Number((each.querySelector('.meta') ?? each).innerText.replaceAll(',', '')))")
    assert shown == [opened.get(each, 0) for each in chosen], (shown, opened)
    browser.look(width=390, height=844)
    assert browser.run(TOUCHED), "the names lead nowhere on a narrow screen"
    # How far each rate can be off by chance, around the rate itself.
    ranges = browser.run("return [...document.querySelectorAll('.compare [data-measure=opened] td')].map((each) => [each.querySelector('b')?.innerText, each.querySelector('.compare-range')?.innerText])")
    percent = lambda text: float(text.strip("<%"))
    for rate, around in ranges:
        if around:
            low, high = map(percent, around.split(" to "))
            assert low <= percent(rate or "0%") <= high and low < high, ranges
    assert any(around for _, around in ranges), ranges
    browser.run("document.querySelector('.compare').scrollIntoView({ block: 'center' })")
    browser.picture("compare")


@story("analytics")
def groups_pushes_in_each_way(world):
    browser = world.browser
    campaign = world.workspace.campaigns["sent"]
    browser.open(world.page(f"/analytics?campaigns={campaign}"))
    for name, by in (("Locale", "locale"), ("iOS version", "os_version"), ("App version", "app_version"), ("Tag", "tag"), ("Category", "category"), ("Action", "action"), ("Reason", "reason"), ("Language of the text", "language")):
        browser.click(name, "tab")
        browser.settle()
        groups = statistics(world, f"totals?by={by}&campaigns={campaign}")["groups"]
        # The rows of the last tab stay until the answer is there.
        wanted = None if by == "action" or not groups else min(10, len(groups))
        browser.wait(lambda wanted=wanted, name=name: browser.run("return document.querySelector('.breakdown [aria-selected=true]').innerText") == name
            and wanted in (None, len(browser.run(ROWS))), f"{wanted} rows by {name}")
        assert f"by={by}" in browser.path(), browser.path()


@story("analytics")
def offers_the_numbers_as_a_file(world):
    browser = world.browser
    browser.open(world.page("/analytics?period=7&by=locale"))
    links = browser.run("return [...document.querySelectorAll('a[download]')].map((each) => [each.ariaLabel, each.getAttribute('href')])")
    assert len(links) == 7, links
    for name, address in links:
        status, kind, text = browser.driver.execute_async_script(FETCH, address)
        assert status == 200 and kind.startswith("text/csv"), (name, address, status, text[:200])
        assert {"accepted", "retired"} & set(text.split("\n")[0].split(",")), (name, text[:200])


@story("report")
def says_that_the_statistics_of_a_report_are_missing(world):
    browser = world.browser
    browser.command("Network.enable")
    browser.command("Network.setBlockedURLs", urls=["*/js/report/statistics.js"])
    try:
        with browser.expecting("ERR_BLOCKED_BY_CLIENT"):
            browser.open(world.page(f"/campaigns/{world.workspace.campaigns['sent']}/report"))
            browser.see("A part of this page could not be loaded.")
    finally:
        browser.command("Network.setBlockedURLs", urls=[])
    browser.click("Load again")
    browser.see("Reactions")


@story("report", "analytics")
def reports_what_people_did_with_a_run(world):
    browser = world.browser
    run = next(each for each in world.api.get(f"{world.workspace.path}/campaigns?state=sent&limit=200")["data"] if each["name"] == "Sunday concert")
    browser.open(world.page(f"/campaigns/{run['id']}/report"))
    browser.see("Reactions")
    browser.settle()
    groups = statistics(world, f"totals?by=locale&run={run['last_run']['id']}")["groups"]
    rows = browser.run(ROWS)
    assert [each["Targeted"] for each in rows] == [str(each["targeted"]) for each in groups[:len(rows)]], (rows, groups)
    opened = statistics(world, f"totals?by=delay&run={run['last_run']['id']}")
    browser.click("Table", "button", "Time to open")
    counts = lambda: browser.run("return [...document.querySelectorAll('section[aria-label=\"Time to open\"] tbody tr')].map((each) => Number(each.children[1].innerText))")
    browser.wait(counts, "the table")
    assert sum(counts()) == sum(each["opened"] for each in opened["groups"]), (counts(), opened["groups"])
    browser.click("App version", "tab")
    browser.wait(lambda: "by=app_version" in browser.path(), "the group in the address")
    browser.settle()
    browser.see("4.2.0")
    browser.picture("report-statistics")
    browser.click("All numbers of this campaign", "link")
    browser.wait(lambda: browser.path() == world.page(f"/analytics?campaigns={run['id']}"), "the analytics of the campaign")
    browser.settle()


@story("dashboard", "analytics")
def tells_today_on_the_dashboard(world):
    browser = world.browser
    browser.open(world.page())
    since = browser.run("const today = new Date(); today.setHours(0, 0, 0, 0); return today.toISOString()")

    def same():
        browser.open(world.page())
        units = statistics(world, f"series?unit=day&time_zone=Europe/Berlin&since={since}")["units"]
        shown = browser.run(TODAY)
        return shown and units and all(shown[name] == units[0][name] for name in shown)

    browser.wait(same, lambda: f"{browser.run(TODAY)} to be {statistics(world, f'series?unit=day&time_zone=Europe/Berlin&since={since}')['units']}")
    browser.click("All numbers of today", "link")
    browser.wait(lambda: "/analytics?period=own" in browser.path(), "the analytics of today")
    browser.settle()
    browser.see("From targeted to converted")
    # The campaigns are there without the numbers.
    with answering(browser, "/statistics/series", {"detail": "Pages break this on purpose."}, 500):
        browser.open(world.page())
        browser.see("Running")
        assert not browser.run(TODAY) and browser.has("Try again", "button"), "nothing tells that the numbers are missing"


@story("dashboard")
def tells_of_a_key_that_soon_stops_working(world):
    browser = world.browser
    path = f"{world.workspace.path}/keys"
    soon = browser.run("return new Date(Date.now() + 5 * 86_400_000).toISOString()")
    key = world.api.post(path, {"name": "Pages short-lived", "kind": "secret", "scopes": ["campaigns:read"], "expires_at": soon})["id"]
    try:
        browser.open(world.page())
        browser.see("The API key “Pages short-lived” stops working")
        browser.see("Needs attention")
        browser.picture("dashboard-key-ends")
    finally:
        world.api.delete(f"{path}/{key}")
