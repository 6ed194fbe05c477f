"""A new app from its name to its first push, in the demo."""

import json
import subprocess

from stories import story

DEMO_KEY_ID = "BELFRYDEMO"
TEAM = "PAGES12345"


def make_key(file):
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file],
        check=True, capture_output=True)
    return file


def begin(world, bundle):
    """Answers the first step, and returns the new app's path in the API."""
    browser = world.browser
    browser.open("/setup")
    browser.fill("Name", "Wizard bells")
    browser.fill("Bundle ID", bundle)
    browser.click("Create the app")
    browser.see("Apple's key")
    return "/v1/apps/" + browser.path().split("/")[2]


def push(world, app):
    """Goes on from the code to the first push, with a virtual phone, and deletes the app."""
    browser = world.browser
    browser.see("Code for the app")
    browser.click("I have it. Wait for the first device")
    browser.see("Run the app once")
    browser.picture("wizard-waiting")
    browser.click("Add a virtual phone")
    browser.see("There it is")
    send_first(browser)
    browser.see("Apple accepted it")
    browser.picture("wizard-first-push")
    device = world.api.get(f"{app}/devices")["data"]
    assert len(device) == 1 and device[0]["registered"], device
    world.api.delete(app)


def send_first(browser):
    find = "return [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith('Send the first push'))?.innerText.trim()"
    browser.click(browser.wait(lambda: browser.run(find), "the button that sends it"))


@story("wizard")
def sets_up_an_app_with_a_key_of_its_own(world):
    browser = world.browser
    app = begin(world, "com.example.wizard.file")
    file = make_key(world.server.folder / f"AuthKey_{DEMO_KEY_ID}.p8")
    browser.give(file)
    browser.see(file.name)
    # This ID belongs to the demo's own key, so the signature is wrong.
    browser.fill("Team ID", "DEMOTEAM01")
    browser.click("Check and store the key")
    browser.see("Apple refused this key. It was not stored.")
    browser.see("InvalidProviderToken")
    browser.picture("wizard-key-refused")
    assert world.api.get(f"{app}/credentials")["data"] == [], "a refused key was stored"
    browser.fill("Key ID", "WIZARD1234")
    browser.fill("Team ID", "WIZARDTEAM")
    browser.click("Check and store the key")
    browser.see("Apple knows this key")
    browser.click("Continue to the code")
    push(world, app)


@story("wizard")
def sets_up_an_app_with_the_simulator_alone(world):
    browser = world.browser
    app = begin(world, "com.example.wizard.simulator")
    browser.click("Use the simulator, with a key made here")
    browser.see("of team SIMULATED1 is stored")
    browser.click("Continue to the code")
    push(world, app)


@story("wizard")
def adds_an_app_with_a_key_and_registers_a_device_with_the_code_shown(world):
    browser = world.browser
    key = make_key(world.server.folder / "AuthKey_PAGESKEY01.p8")
    browser.open("/setup")
    browser.click("Create the app")
    browser.see("Give it a name.")
    browser.fill("Name", "Pages wizard")
    browser.fill("Bundle ID", "com.example.pages")
    browser.click("Create the app")
    browser.see("Apple's key")
    app = browser.path().split("/")[2]
    try:
        add_key(browser, key)
        browser.see("Code for the app")
        installation = register(browser)
        browser.click("I have it. Wait for the first device")
        browser.see("There it is")
        browser.picture("wizard-device")
        assert world.api.get(f"/v1/apps/{app}/devices?limit=1")["data"][0]["installation"] == installation
        send_first(browser)
        browser.see("This phone is pretended: its token is invented, so Apple refuses it.")
        browser.picture("wizard-pretended")
        browser.click("Add a virtual phone")
        browser.wait(lambda: not browser.sees("This phone is pretended"), "the virtual phone in its place")
        send_first(browser)
        browser.see("Apple accepted it")
    finally:
        browser.driver.get("about:blank")
        world.api.send("DELETE", f"/v1/apps/{app}")


def add_key(browser, key):
    """The key is asked about with the simulator, which learns it, before it is stored."""
    browser.click("Check and store the key")
    browser.see("Choose the .p8 file first.")
    page = key.parent / "sign-in.p8"
    page.write_text("<html>Sign in</html>")
    with browser.expecting("422 ("):
        browser.give(page)
        browser.see("the file is a web page, not the download")
    # As Windows saves it.
    key.write_text(key.read_text(), encoding="utf-16")
    browser.give(key)
    browser.wait(lambda: browser.value("Key ID") == "PAGESKEY01", "the key ID from the file's name")
    browser.fill("Team ID", TEAM)
    browser.click("Check and store the key")
    browser.see("is stored.")
    browser.picture("wizard-key")
    browser.click("Continue to the code")


def register(browser):
    """Registers a device as the code on the page tells."""
    browser.click("Try without an app", "tab")
    code = browser.wait(lambda: (text := browser.run("return document.querySelector('pre').innerText")) and "bfp_" in text and text, "the publishable key in the code")
    browser.click("Swift", "tab")
    done = subprocess.run(["bash", "-c", code], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["installation"]
