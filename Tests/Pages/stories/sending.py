"""A campaign from its start to its report."""

from stories import story
from workspace import BODY

SLOWLY = 40


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
