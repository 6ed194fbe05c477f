"""Each role is offered what it may do (Docs/permissions.md)."""

from stories import story

PASSWORD = "seven quiet bells at noon"
# Role: may it see devices, write campaigns?
ROLES = {"viewer": (False, False), "analyst": (True, False), "marketer": (True, True), "sender": (True, True), "developer": (True, False)}


@story("sign-in", "campaigns", "devices")
def offers_each_role_what_it_may_do(world):
    browser = world.browser
    for role, (sees_devices, writes_campaigns) in ROLES.items():
        browser.place = f"the role {role}"
        link = world.workspace.person(f"{role}@pages.example", role)
        browser.visit(world.server.url)
        with browser.expecting("401 (Unauthorized)"):
            browser.open(world.server.url + "/" + link[link.index("#"):])
        browser.fill("New password", PASSWORD)
        browser.click("Save and sign in")
        browser.wait(lambda: browser.path() == world.page("/campaigns"), "the campaigns")
        browser.settle()
        browser.see("Pages draft")
        assert browser.has("Devices", "link") == sees_devices, f"devices are {'not ' if sees_devices else ''}offered"
        assert browser.has("New campaign", "button") == writes_campaigns, f"a new campaign is {'not ' if writes_campaigns else ''}offered"
        browser.picture(f"role-{role}")
        browser.inspect()
