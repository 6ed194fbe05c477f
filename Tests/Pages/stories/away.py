"""A server that is away for a while."""

from stories import story


@story("campaigns")
def keeps_the_list_while_offline_and_goes_on(world):
    browser = world.browser
    browser.open(world.page("/campaigns"))
    with browser.expecting("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK"):
        be_offline(browser, True)
        browser.see("Offline")
        assert browser.sees("Pages draft"), "the list is gone"
        browser.picture("campaigns-offline")
        be_offline(browser, False)
        browser.wait(lambda: not browser.sees("Offline"), "the page to notice that the server is back")
    browser.settle()


def be_offline(browser, is_offline):
    browser.command("Network.enable")
    browser.command(
        "Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)
