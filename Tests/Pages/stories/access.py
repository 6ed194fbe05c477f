"""People with access, one's own account, and API keys."""

import json
import urllib.error
import urllib.request
import uuid

from stories import story

PASSWORD = "seven quiet bells at noon"
OTHER_PASSWORD = "eight loud bells at night"


def dialog_link(browser):
    """The one-time address that a dialog shows."""
    browser.wait(lambda: browser.run("return document.querySelector('dialog[open] pre')?.innerText.includes('#password=')"), "the address")
    link = browser.run("return document.querySelector('dialog[open] pre').innerText")
    return link[link.index("#"):]


def choose_password(world, fragment):
    """Becomes the person to whom the one-time address belongs."""
    browser = world.browser
    browser.visit(world.server.url)
    with browser.expecting("401 (Unauthorized)"):
        browser.open(f"{world.server.url}/{fragment}")
    browser.fill("New password", PASSWORD)
    browser.click("Save and sign in")
    browser.wait(lambda: browser.path().startswith("/a/"), "the first page of the app")
    browser.settle()


@story("users", "user", "campaigns")
def adds_a_person_who_signs_in_and_loses_a_role(world):
    browser, email = world.browser, f"{uuid.uuid4().hex[:8]}@pages.example"
    browser.open(world.page("/users"))
    browser.click("Add a person")
    browser.click("Add the person")
    browser.see("Enter your e-mail address")
    browser.fill("E-mail address", email)
    browser.fill("Name", "Mina Bell")
    browser.choose("Role", "Sender")
    browser.see("Writes campaigns, sends them, and approves those of others.")
    browser.click("Add the person")
    browser.see("Mina Bell is added")
    browser.picture("access-added")
    fragment = dialog_link(browser)
    browser.click("I have sent it")
    browser.see(email)
    browser.see("No password yet")

    choose_password(world, fragment)
    assert browser.has("Campaigns", "link") and not browser.has("Access", "link"), "a sender manages people"
    browser.open(world.page("/users"))
    browser.see("You may not see this page")

    browser.visit(world.server.url, world.cookie)
    browser.open(world.page("/users"))
    browser.click("Mina Bell", "link")
    browser.settle()
    browser.see("Chose a password and signed in")
    browser.click("Add a role")
    browser.wait(lambda: browser.focused() == "Role", "the focus in the fields")
    browser.choose("Role", "Analyst")
    browser.choose("It applies to", "All apps")
    browser.click("Add a role")
    browser.see("Analyst in all apps")
    browser.wait(lambda: browser.focused() == "Add a role", "the focus at the button")
    browser.wait(lambda: browser.has("Remove Sender in Bell Tower (demo)"), "the first role")
    browser.click("Remove Sender in Bell Tower (demo)")
    browser.wait(lambda: not browser.has("Remove Sender in Bell Tower (demo)"), "the role to go")
    user = browser.path().rsplit("/", 1)[1]
    assert world.api.get(f"/v1/users/{user}")["roles"] == [{"role": "analyst", "app_id": None}]

    # Somebody else changes the person first.
    world.api.send("PATCH", f"/v1/users/{user}", {"name": "Mina Bells"})
    with browser.expecting("412 ("):
        browser.click("Disable")
        browser.see("Their sessions end immediately")
        browser.click("Disable")
        browser.see("The page shows the newest state.")
        browser.see("Mina Bells")
    browser.click("Disable")
    browser.see("Their sessions end immediately")
    browser.click("Disable")
    browser.see("Disabled since")
    assert world.api.get(f"/v1/users/{user}")["disabled_at"], "the person is not disabled"
    browser.click("Enable again")
    browser.see("The person can sign in with e-mail address and password.")
    browser.click("Create a password link")
    browser.see("Their present password works until they choose a new one.")
    browser.click("Create a password link")
    assert dialog_link(browser) != fragment, "the address is the old one"


MAKE_KEY = """const [path, name, done] = arguments;
    fetch("/v1/session").then((answer) => answer.json()).then(({ cross_site_token: token }) => fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json", "X-Cross-Site-Token": token },
      body: JSON.stringify({ name, kind: "secret", scopes: ["devices:read"] }),
    })).then((answer) => answer.json()).then(done);"""


@story("users", "user", "keys")
def takes_over_the_keys_of_a_disabled_person(world):
    browser, email = world.browser, f"{uuid.uuid4().hex[:8]}@pages.example"
    link = world.workspace.person(email, "developer")
    choose_password(world, link[link.index("#"):])
    names = [f"Server {uuid.uuid4().hex[:6]}" for _ in range(2)]
    secrets = [browser.driver.execute_async_script(MAKE_KEY, f"{world.workspace.path}/keys", name)["key"] for name in names]

    browser.visit(world.server.url, world.cookie)
    browser.open(world.page("/keys"))
    browser.settle()
    act(browser, names[1], "Take over")
    browser.click("Take over")
    browser.see(f"The key “{names[1]}” is yours now.")
    browser.open(world.page("/users"))
    browser.click(email, "link")
    browser.settle()
    browser.click("Disable")
    browser.see("The secret keys that they created stop, too")
    browser.click("Disable")
    browser.see("1 key has stopped")
    browser.picture("stopped-keys")
    browser.inspect()
    assert works(world, secrets) == [False, True], works(world, secrets)
    browser.click(f"Take over the key “{names[0]}”")
    browser.see("Yours now")
    browser.click("Done")
    browser.see("Disabled since")
    assert works(world, secrets) == [True, True], works(world, secrets)


@story("users", "user", "keys")
def names_the_keys_that_lose_permissions_with_a_role(world):
    browser, email = world.browser, f"{uuid.uuid4().hex[:8]}@pages.example"
    link = world.workspace.person(email, "developer")
    choose_password(world, link[link.index("#"):])
    name = f"Server {uuid.uuid4().hex[:6]}"
    secret = browser.driver.execute_async_script(MAKE_KEY, f"{world.workspace.path}/keys", name)["key"]

    browser.visit(world.server.url, world.cookie)
    browser.open(world.page("/users"))
    browser.click(email, "link")
    browser.settle()
    browser.click("Remove Developer in all apps")
    browser.click("Remove the role")
    browser.see("1 key can do less now")
    browser.see("Lost: See devices and people")
    browser.picture("limited-keys")
    browser.inspect()
    assert works(world, [secret]) == [False], "the key can still do what its creator can't"
    browser.click("Done")
    browser.open(world.page("/keys"))
    browser.settle()
    browser.see("1 permission is not in effect")
    browser.picture("keys-limited")
    act(browser, name, "Take over")
    browser.click("Take over")
    browser.see(f"The key “{name}” is yours now.")
    # A server remembers for a few seconds what a key may do.
    browser.wait(lambda: works(world, [secret]) == [True], "the key to work")


def works(world, secrets):
    """Whether each key may do something."""
    def is_accepted(secret):
        request = urllib.request.Request(f"{world.server.url}{world.workspace.path}/devices?limit=1", headers={"Authorization": f"Bearer {secret}"})
        try:
            urllib.request.urlopen(request, timeout=20).close()
        except urllib.error.HTTPError:
            return False
        return True
    return [is_accepted(secret) for secret in secrets]


@story("users", "user")
def keeps_the_last_admin(world):
    browser = world.browser
    browser.open(world.page("/users"))
    browser.click("Demo", "link")
    browser.settle()
    assert browser.find("Disable").get_attribute("aria-disabled") == "true", "an admin can disable themselves"
    browser.click("Remove Admin in all apps")
    browser.see("You can't open this page any more")
    with browser.expecting("409 (Conflict)"):
        browser.click("Remove the role")
        browser.see("This person is the last admin of all apps")
        browser.inspect()
    assert browser.has("Remove Admin in all apps"), "the role is gone"


@story("account")
def changes_the_own_password_and_ends_a_session(world):
    browser, email = world.browser, f"{uuid.uuid4().hex[:8]}@pages.example"
    link = world.workspace.person(email, "viewer")
    choose_password(world, link[link.index("#"):])
    sign_in(world.server.url, email)
    browser.click(email)
    browser.click("Your account", "menuitem")
    browser.settle()
    assert browser.path() == "/account", browser.path()
    browser.see("Viewer in all apps")
    browser.wait(lambda: sessions(browser) == 2, lambda: f"two sessions; {sessions(browser)} are listed")
    browser.picture("account")
    browser.click("Sign out of curl")
    browser.see("1 session ended.")
    browser.wait(lambda: sessions(browser) == 1, "one session")

    browser.fill("Current password", "not my password")
    browser.fill("New password", "short")
    browser.click("Change the password")
    browser.see("Use at least 10 characters.")
    browser.fill("New password", OTHER_PASSWORD)
    with browser.expecting("422 ("):
        browser.click("Change the password")
        browser.see("The current password is wrong.")
        browser.inspect()
    browser.fill("Current password", PASSWORD)
    browser.click("Change the password")
    browser.see("The password is changed.")
    sign_in(world.server.url, email, OTHER_PASSWORD)


def sessions(browser):
    return browser.run("return document.querySelectorAll('main table tbody tr').length")


def sign_in(url, email, password=PASSWORD):
    """Another session of the person, from a client that says that it is curl."""
    request = urllib.request.Request(f"{url}/v1/session", data=json.dumps({"email": email, "password": password}).encode(), headers={
        "Content-Type": "application/json", "Origin": url, "User-Agent": "curl/8.0"})
    urllib.request.urlopen(request, timeout=20).close()


@story("keys", "app")
def makes_replaces_and_revokes_a_key(world):
    browser, name = world.browser, f"Pages {uuid.uuid4().hex[:6]}"
    group = "Keys of Bell Tower (demo)"
    browser.open(world.page("/app"))
    browser.click("Open the keys")
    browser.settle()
    browser.click("Create a key", group=group)
    browser.fill("Name", name)
    browser.click("Send campaigns campaigns:send")
    browser.fill("Only from", "10.0.0.0/8 nonsense")
    with browser.expecting("422 ("):
        browser.click("Create a key")
        browser.wait(lambda: browser.run("return document.querySelector('dialog[open] textarea[aria-invalid=true]') !== null"), "the address to be refused")
        browser.inspect()
    browser.fill("Only from", "10.0.0.0/8\n192.168.4.17")
    browser.click("Create a key")
    browser.see(f"The key “{name}”")
    secret = browser.run("return document.querySelector('dialog[open] pre').innerText")
    assert secret.startswith("bfs_"), secret
    browser.click("I have stored it")
    keys = keys_named(world, name)
    assert len(keys) == 1 and set(keys[0]["scopes"]) == {"devices:write", "pushes:send", "campaigns:send"}, keys
    assert keys[0]["allowed_addresses"] == ["10.0.0.0/8", "192.168.4.17"], keys
    browser.see("192.168.4.17")
    assert secret not in browser.text(), "the key is shown again"

    act(browser, name, "Replace")
    browser.see(f"Replace the key “{name}”?")
    browser.click("Replace")
    browser.see(f"The key “{name}”")
    browser.click("I have stored it")
    keys = keys_named(world, name)
    assert len(keys) == 2 and keys[1]["expires_at"], keys
    for left in (1, 0):
        act(browser, name, "Revoke")
        browser.click("Revoke")
        browser.see("Revoked.")
        browser.wait(lambda: browser.run(KEY_ROWS, name) == left, lambda: f"{left} keys to be left")
    assert all(key["revoked_at"] for key in keys_named(world, name)), "a key still works"
    assert browser.sees("Keys for all apps")


KEY_ROWS = """return [...document.querySelectorAll("main tr")].filter((each) => each.innerText.startsWith(arguments[0])).length;"""


def keys_named(world, name):
    return [key for key in world.api.get(f"{world.workspace.path}/keys?limit=200")["data"] if key["name"] == name]


def act(browser, name, action):
    """Chooses an action in the menu of the first key with the name."""
    browser.run("""const row = [...document.querySelectorAll("main tr")].find((each) => each.innerText.startsWith(arguments[0]));
        row.querySelector("summary[aria-label]").click();""", name)
    browser.click(action, "menuitem")
