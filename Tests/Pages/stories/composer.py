"""Texts are composed without knowing how pushes are made."""

from accessibility import examine
from stories import story
from workspace import BODY

UNDO = "Control+z"
# Not the size of what a panel covers: nothing there can be touched until it is closed.
OF_PANELS = [
    "aria-allowed-attr", "aria-dialog-name", "aria-input-field-name", "aria-required-attr", "aria-required-children",
    "aria-required-parent", "aria-valid-attr-value", "button-name", "color-contrast", "label",
]


@story("template")
def inserts_a_name_with_its_fallback(world):
    browser = world.browser
    content = {"payload": {"aps": {"alert": {"title": "Hi", "body": "Tonight at eight."}}}}
    template = world.workspace.make("templates", {"name": "Pages names", "content": content})
    browser.open(world.page(f"/templates/{template}"))
    browser.find("Title", "field").click()
    browser.press("End", " ", "Alt+n")
    browser.wait(lambda: browser.focused() == "Search names and other values", "the search of names")
    examine(browser, OF_PANELS)
    browser.press("first_n")
    browser.picture("insert-name")
    browser.press("Enter")
    browser.see("Without a word here, devices that have no first_name do not get the push.")
    browser.press("ringer")
    browser.see("Devices that have no first_name get this.")
    browser.picture("insert-name-fallback")
    browser.press("Enter")
    filled = 'Hi {{ first_name | default: "ringer" }}'
    browser.wait(lambda: browser.value("Title") == filled, lambda: f"the name in the title: {browser.value('Title')}")
    # The caret is behind it, and the field's own undo takes it back.
    browser.press("!")
    assert browser.value("Title") == filled + "!", browser.value("Title")
    browser.press(UNDO, UNDO)
    browser.wait(lambda: browser.value("Title") == "Hi ", lambda: f"the title without the name: {browser.value('Title')}")
    browser.press("Control+y", "Control+y")
    browser.wait(lambda: browser.value("Title") == filled + "!", lambda: f"the name again: {browser.value('Title')}")
    # Elsewhere it begins with the same word, and takes the place of what is selected.
    browser.find("Text", "field").click()
    browser.press("Control+a")
    browser.click("Insert a name into Text")
    browser.wait(lambda: browser.focused() == "Search names and other values", "the search of names")
    browser.press("first_n", "Enter")
    browser.wait(lambda: browser.has("In place of a missing first_name", "field"), "the fallback")
    assert browser.value("In place of a missing first_name") == "ringer"
    browser.click("Insert")
    browser.wait(lambda: browser.value("Text") == filled[3:], lambda: f"the name in the text: {browser.value('Text')}")
    # Escape changes nothing and gives the caret back.
    browser.press("Alt+n", "Escape")
    browser.wait(lambda: browser.focused().startswith("Text"), "the caret in the text")
    browser.press(".")
    assert browser.value("Text") == filled[3:] + ".", browser.value("Text")
    # The completion of a name that is typed can be undone, too.
    browser.fill("Subtitle", "For {{ cit")
    browser.press("Enter")
    browser.wait(lambda: browser.value("Subtitle") == "For {{ city }}", lambda: f"the city; it is {browser.value('Subtitle')}")
    browser.press(UNDO)
    browser.wait(lambda: browser.value("Subtitle") == "For {{ cit", lambda: f"what was typed; it is {browser.value('Subtitle')}")


@story("template")
def chooses_what_a_tap_opens(world):
    browser = world.browser
    content = {"payload": {"aps": {"alert": "Tonight at eight."}}, "variants": {"zh-Hans": {"aps": {"alert": "今晚八点。"}}}}
    template = world.workspace.make("templates", {"name": "Pages tap", "content": content})
    browser.open(world.page(f"/templates/{template}"))
    browser.see("Tapping opens the app.")
    browser.choose("When tapped", "Opens a link")
    browser.fill("Link", "a.example/{{ user_id }}")
    assert not browser.sees("Begin with https://"), "it is checked before it is left"
    browser.press("Tab")
    browser.see("Begin with https://, or with the name of the app’s own links")
    browser.picture("tap-without-scheme")
    browser.click("Use https://a.example/{{ user_id }}")
    # Whose ID it is depends on the person that is shown.
    browser.see("Tapping opens https://a.example/")
    assert not browser.sees("Tapping opens https://a.example/{{"), "the value is not there"
    browser.fill("Key of the link", "aps")
    browser.press("Tab")
    browser.see("“aps” is taken already.")
    browser.fill("Key of the link", "go")
    browser.press("Tab")
    browser.fill("Link", "https://a.example/{{ user_id }}")
    browser.click("Publish version 2")
    browser.see("Version 2 is published.")
    stored = world.api.get(f"{world.workspace.path}/templates/{template}")["content"]
    payloads = [stored["payload"], stored["variants"]["zh-Hans"]]
    assert [each.get("go") for each in payloads] == ["https://a.example/{{ user_id }}"] * 2, payloads
    browser.look(390, 1500, "dark")
    browser.reload()
    assert browser.value("Key of the link") == "go"
    browser.picture("tap-narrow")
    # A link that is chosen again is there again.
    browser.choose("When tapped", "Opens the app")
    browser.choose("When tapped", "Opens a link")
    browser.wait(lambda: browser.value("Link") == "https://a.example/{{ user_id }}", "the link again")


@story("template", "editor")
def shows_the_push_to_somebody_without_a_name(world):
    browser, workspace = world.browser, world.workspace
    longest = "Maximiliane-Wilhelmina"
    device = f"{workspace.path}/devices/pages-longest-name"
    world.api.send("PUT", device, {"token": "ab" * 32, "environment": "production", "attributes": {"pages_name": longest}})
    text = 'Hello {{ pages_name | default: "ringer" }}'
    template = workspace.make("templates", {"name": "Pages seen by", "content": {"payload": {"aps": {"alert": text}}}})
    browser.open(world.page(f"/templates/{template}"))
    phone = lambda: browser.run("return document.querySelector('figure.phone').innerText")
    for seen, shown in {"Somebody without a name": "Hello ringer", "The longest values": f"Hello {longest}"}.items():
        browser.choose("As seen by", seen)
        browser.wait(lambda: shown in phone(), lambda: f'"{shown}" on the phone; it has {phone()}')
        browser.settle()
        browser.picture(f"seen-by-{seen.split()[0].lower()}")
    # Without a fallback they do not get it, which is said before anybody is left out.
    browser.choose("As seen by", "Somebody without a name")
    browser.fill("Text", "Hello {{ pages_name }}")
    browser.see("Devices that have no pages_name do not get it.")
    browser.picture("seen-by-nobody-left-out")
    world.api.delete(device)


@story("template")
def inserts_an_emoji_by_its_name(world):
    browser = world.browser
    template = world.workspace.make("templates", {"name": "Pages emoji", "content": {"payload": BODY}})
    browser.open(world.page(f"/templates/{template}"))
    browser.find("Title", "field").click()
    browser.press("Home", "Alt+e")
    browser.wait(lambda: browser.focused() == "Search emoji", "the search of emoji")
    examine(browser, OF_PANELS)
    browser.picture("emoji")
    browser.press("快递", "Enter")
    browser.wait(lambda: browser.value("Title") == "📦Evening bells", lambda: f"the parcel; it is {browser.value('Title')}")
    browser.press(UNDO)
    browser.wait(lambda: browser.value("Title") == "Evening bells", "the title without it")
    # It comes first now; the arrows go on from there.
    browser.look(390, 844, "dark")
    browser.click("Insert an emoji into Text")
    browser.wait(lambda: browser.focused() == "Search emoji", "the search of emoji")
    browser.press("Right", "Down")
    browser.picture("emoji-narrow")
    browser.press("Up", "Left", "Enter")
    browser.wait(lambda: browser.value("Text").endswith("📦"), lambda: f"the parcel first; it is {browser.value('Text')}")


@story("editor")
def chooses_a_segment_by_the_number_of_its_devices(world):
    browser, workspace = world.browser, world.workspace
    english = {"include": {"field": "language", "op": "is", "value": "en"}}
    segment = workspace.make("segments", {"name": "Pages English speakers", "audience": english})
    matches = world.api.get(f"{workspace.path}/segments/{segment}/count")["matches"]
    campaign = workspace.make("campaigns", {"name": "Pages segment", "payload": BODY})
    browser.open(world.page(f"/campaigns/{campaign}/audience"))
    asked = lambda: browser.run("return performance.getEntriesByType('resource').filter(({ name }) => /segments\\/\\d+\\/count/.test(name)).length")
    assert asked() == 0, "segments are counted before anybody looks at them"
    browser.click("Saved segment")
    browser.wait(lambda: browser.focused() == "Search segments", "the search of segments")
    browser.see(f"{matches} devices")
    examine(browser, OF_PANELS)
    browser.picture("segments-with-counts")
    browser.press("english sp", "Enter")
    browser.wait(lambda: browser.has("Segment: Pages English speakers", "button"), "the segment in the condition")
    browser.look(390, 844, "dark")
    browser.click("Segment: Pages English speakers")
    browser.see(f"{matches} devices")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the list is wider than the window"
    browser.picture("segments-with-counts-narrow")
    browser.press("Escape")
    browser.wait(lambda: browser.focused().startswith("Segment: Pages"), lambda: f"the focus back; it is on {browser.focused()}")
    audience = lambda: world.api.get(f"{workspace.path}/campaigns/{campaign}")["audience"]
    browser.wait(lambda: audience() == {"include": {"segment": segment}}, lambda: f"the audience; it is {audience()}")


@story("campaigns", "editor")
def a_new_campaign_sounds_until_somebody_mutes_it(world):
    browser = world.browser
    browser.open(world.page("/campaigns"))
    browser.click("New campaign")
    browser.wait(lambda: browser.path().endswith("/content"), "the editor")
    browser.settle()
    bell = lambda: browser.run("return document.querySelector('.phone-when .icon') !== null")
    browser.fill("Title", "Evening bells")
    browser.wait(lambda: browser.value("Sound") == "default", lambda: f"the default sound; it is {browser.value('Sound')}")
    assert not bell(), "the phone shows a muted bell for the default sound"
    browser.choose("Sound", "None")
    browser.see("The push arrives without a sound.")
    browser.wait(bell, "the muted bell on the phone")


@story("template")
def types_buttons_without_a_category(world):
    """They travel with the push, and each language has its own words for them."""
    browser = world.browser
    workspace = world.workspace
    content = {
        "payload": {"aps": {"alert": {"title": "Evening bells", "body": "Tonight at eight."}, "sound": "default"}},
        "variants": {"zh": {"aps": {"alert": {"title": "晚钟", "body": "今晚八点。"}, "sound": "default"}}},
    }
    template = workspace.make("templates", {"name": "Pages buttons", "content": content})
    path = f"{workspace.path}/templates/{template}"
    browser.open(world.page(f"/templates/{template}"))
    browser.choose("Actions", "Own buttons for this push")
    browser.fill("Text of button 1", "Remind me")
    browser.fill("Button 1 opens", "bells")
    browser.see("Begin with https://, or with the name of the app’s own links, like bells://.")
    browser.fill("Button 1 opens", "bells://remind")
    browser.click("Add a button")
    browser.fill("Text of button 2", "Not now")
    browser.run("[...document.querySelectorAll('.typed-button')].at(-1).querySelector('[type=checkbox]').click()")
    browser.see("Your app's service extension shows them.")
    browser.click("Expanded")
    browser.wait(
        lambda: browser.run("return [...document.querySelectorAll('.phone-action')].map((each) => each.textContent)") == ["Remind me", "Not now"],
        "the buttons on the phone")
    examine(browser)
    browser.run("document.querySelector('.typed-buttons').scrollIntoView({ block: 'center' })")
    browser.picture("typed-buttons")
    browser.look(theme="dark", width=390)
    browser.picture("typed-buttons-narrow")
    browser.look()
    buttons = [
        {"id": "remind-me", "title": "Remind me", "link": "bells://remind"},
        {"id": "not-now", "title": "Not now", "destructive": True},
    ]
    browser.click("Publish version 2")
    browser.wait(lambda: world.api.get(path)["content"]["payload"].get("belfry-buttons") == buttons, lambda: f"the buttons on the server; it has {world.api.get(path)['content']['payload']}")
    # The other language has them, too, to be translated.
    other = world.api.get(path)["content"]["variants"]["zh"]
    assert other["belfry-buttons"] == buttons and other["aps"]["mutable-content"] == 1, other
    # A category of the app takes their place, and only one of the two is sent.
    browser.choose("Actions", "CONCERT (Remind me, Book seats)")
    browser.click("Publish version 3")
    browser.wait(lambda: world.api.get(path)["content"]["payload"]["aps"].get("category") == "CONCERT", "the category on the server")
    assert "belfry-buttons" not in world.api.get(path)["content"]["payload"]
