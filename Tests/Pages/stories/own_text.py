"""A campaign has a text of its own, with names and languages; a template is a place to begin."""

from accessibility import examine
from stories import story
from workspace import BODY, GREETING

FITS = "return document.documentElement.scrollWidth <= innerWidth"
PHONE = "return document.querySelector('.stage .phone').innerText"


def stored(world, campaign):
    return world.api.get(f"{world.workspace.path}/campaigns/{campaign}")


@story("editor", "campaigns")
def writes_a_text_with_a_name_in_two_languages(world):
    browser = world.browser
    browser.open(world.page("/campaigns"))
    browser.click("New campaign")
    browser.wait(lambda: browser.path().endswith("/content"), "the editor")
    browser.settle()
    campaign = browser.path().split("/")[-2]
    browser.fill("Title", "Evening bells")
    browser.fill("Text", "Tonight at eight, ")
    browser.find("Text", "field").click()
    browser.press("End", "Alt+n")
    browser.wait(lambda: browser.focused() == "Search names and other values", "the search of names")
    browser.press("first_n", "Enter")
    browser.wait(lambda: browser.has("In place of a missing first_name", "field"), "the fallback")
    browser.press("friend", "Enter")
    english = 'Tonight at eight, {{ first_name | default: "friend" }}'
    browser.wait(lambda: browser.value("Text") == english, lambda: f"the name in the text; it is {browser.value('Text')}")
    browser.click("Add a language")
    browser.click("Japanese (ja)")
    browser.wait(lambda: "locale=ja" in browser.path(), "the Japanese tab")
    browser.fill("Title", "夕べの鐘")
    browser.fill("Text", '{{ first_name | default: "みなさま" }}、今夜八時に鐘が鳴ります。')
    phone = lambda: browser.run(PHONE)
    browser.wait(lambda: "今夜八時" in phone() and "{{" not in phone(), lambda: f"the Japanese text with a name; it shows {phone()}")
    browser.picture("own-text-japanese")
    browser.click("English *", "tab")
    browser.wait(lambda: "Tonight at eight" in phone() and "{{" not in phone(), lambda: f"the English text with a name; it shows {phone()}")
    kept = lambda: stored(world, campaign)["content"]
    browser.wait(lambda: list(kept().get("variants", {})) == ["ja"] and kept()["variants"]["ja"]["aps"]["alert"]["body"].endswith("鳴ります。"), lambda: f"the text to be saved; it is {kept()}")
    assert kept()["payload"]["aps"]["alert"] == {"title": "Evening bells", "body": english}, kept()
    examine(browser)
    for theme in ("light", "dark"):
        browser.look(390, 844, theme)
        browser.picture(f"own-text-narrow-{theme}")
        assert browser.run(FITS), "the composer is wider than the window"
    browser.look()
    world.api.send("PATCH", f"{world.workspace.path}/campaigns/{campaign}", {"schedule": {"kind": "local", "at": "2030-01-01T18:00:00"}})
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.choose("Language", "Japanese")
    shown = lambda: browser.run("return document.querySelector('.message-preview .phone').innerText")
    browser.wait(lambda: "今夜八時" in shown() and "{{" not in shown(), lambda: f"the Japanese message; it shows {shown()}")
    world.api.post(f"{world.workspace.path}/campaigns/{campaign}/schedule")
    assert stored(world, campaign)["state"] == "scheduled"


@story("editor", "template")
def begins_with_a_template_and_takes_it_back(world):
    browser, workspace = world.browser, world.workspace
    content = {"payload": GREETING, "variants": {"ja": BODY}, "collapse_id": "bells"}
    template = workspace.make("templates", {"name": "Pages beginning", "content": content})
    campaign = workspace.make("campaigns", {"name": "Pages begun", "content": {"payload": {"aps": {"alert": {"body": "Typed by hand"}}}}})
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    browser.find("Start from a template").click()
    browser.wait(lambda: browser.focused() == "Search templates", "the search of templates")
    browser.press("pages begin")
    browser.picture("template-picker")
    examine(browser, ["aria-required-children", "color-contrast", "label", "aria-dialog-name"])
    browser.press("Enter")
    browser.see("The text of “Pages beginning” is here.")
    browser.wait(lambda: "Hello" in browser.value("Text"), lambda: f"the template's text; it is {browser.value('Text')}")
    browser.picture("template-taken")
    taken = browser.wait(lambda: stored(world, campaign)["content"]["payload"] == GREETING and stored(world, campaign), "the copy to be saved")
    assert taken["content"]["variants"] == {"ja": BODY} and taken["collapse_id"] == "bells" and taken["template"] is None, taken
    browser.click("Undo")
    browser.wait(lambda: browser.value("Text") == "Typed by hand", lambda: f"the text from before; it is {browser.value('Text')}")
    browser.wait(lambda: stored(world, campaign)["content"]["payload"]["aps"]["alert"] == {"body": "Typed by hand"}, "the text from before to be saved")
    assert stored(world, campaign)["collapse_id"] is None
    # A copy: what becomes of the template does not reach the campaign.
    browser.click("Save as a template")
    browser.see("“Pages begun” is a template now.")
    made = next(each for each in world.api.get(f"{workspace.path}/templates?search=Pages%20begun")["data"] if each["name"] == "Pages begun")
    assert world.api.get(f"{workspace.path}/templates/{made['id']}")["content"]["payload"]["aps"]["alert"] == {"body": "Typed by hand"}
    assert stored(world, campaign)["template"] is None
    # From the template's own page, too.
    browser.open(world.page(f"/templates/{template}"))
    browser.click("New campaign with it")
    browser.wait(lambda: browser.path().endswith("/content"), "the editor")
    begun = stored(world, browser.path().split("/")[-2])
    assert begun["content"] == {"payload": GREETING, "variants": {"ja": BODY}} and begun["collapse_id"] == "bells", begun


@story("editor")
def edits_the_text_of_a_campaign_that_a_program_made(world):
    browser, workspace = world.browser, world.workspace
    template = workspace.make("templates", {"name": "Pages named", "content": {"payload": GREETING}})
    named = workspace.make("campaigns", {"name": "Pages named", "template": template})
    browser.open(world.page(f"/campaigns/{named}/content"))
    browser.see("This campaign sends version 1 of the template Pages named.")
    assert browser.find("Text", "field").get_attribute("readonly"), "the template's text can be edited"
    browser.picture("template-named")
    browser.click("Edit the text here")
    browser.see("The campaign has its own text now.")
    browser.fill("Title", "By hand")
    browser.wait(lambda: (stored(world, named)["content"] or {}).get("payload", {}).get("aps", {}).get("alert", {}).get("title") == "By hand", "the own text to be saved")
    assert world.api.get(f"{workspace.path}/templates/{template}")["content"]["payload"] == GREETING

    # Without Liquid it is edited like any text; opening it changes nothing.
    plain = workspace.make("campaigns", {"name": "Pages plain", "payload": BODY})
    browser.open(world.page(f"/campaigns/{plain}/content"))
    assert browser.has("Insert a name into Text"), "a plain text takes no names"
    assert stored(world, plain)["payload"] == BODY
    browser.fill("Title", "By hand")
    browser.wait(lambda: stored(world, plain)["payload"] is None, "the own text to be saved")

    # With it, the braces stay what they are until somebody says otherwise.
    braces = {"aps": {"alert": {"title": "Braces", "body": "Use {{ first_name }} in texts."}}}
    literal = workspace.make("campaigns", {"name": "Pages literal", "payload": braces})
    browser.open(world.page(f"/campaigns/{literal}/content"))
    browser.see("is sent exactly as it is written: phones show the braces.")
    browser.picture("literal-text")
    assert not browser.has("Insert a name into Text"), "names can be inserted where they are not filled in"
    browser.fill("Title", "Literal")
    browser.wait(lambda: (stored(world, literal)["payload"] or {}).get("aps", {}).get("alert", {}).get("title") == "Literal", "the payload to be saved")
    browser.click("Fill in the placeholders")
    browser.wait(lambda: stored(world, literal)["payload"] is None, "the own text to be saved")
    browser.click("Undo")
    browser.wait(lambda: stored(world, literal)["content"] is None, "the payload again")


@story("editor")
def says_which_variant_lacks_a_language(world):
    browser = world.browser
    both = {"payload": BODY, "variants": {"ja": BODY}}
    variants = [{"name": "long", "content": both}, {"name": "short", "content": {"payload": BODY}}]
    campaign = world.workspace.make("campaigns", {"name": "Pages lacking", "variants": variants})
    browser.open(world.page(f"/campaigns/{campaign}/content"))
    assert not browser.sees("has no text in ja"), "the variant that has the language is said to lack it"
    browser.click("short · 50%", "tab")
    browser.see("Content has no text in ja, which another variant has")
    browser.picture("language-lacking")
    browser.open(world.page(f"/campaigns/{campaign}/review"))
    browser.see("short: Content has no text in ja, which another variant has")
    browser.picture("language-lacking-review")
