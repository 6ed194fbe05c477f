"""What all languages of a content share, and the sound of a push."""

import re

from stories import story
from workspace import GREETING


@story("editor")
def begins_a_campaign_that_sounds_and_shows_when_it_does_not(world):
    browser = world.browser
    browser.open(world.page("/campaigns"))
    browser.click("New campaign")
    browser.wait(lambda: browser.path().endswith("/content"), "the editor")
    browser.settle()
    path = f"{world.workspace.path}/campaigns/{browser.path().split('/')[-2]}"
    sound = lambda: world.api.get(path)["content"]["payload"]["aps"].get("sound")
    assert sound() == "default", sound()
    browser.fill("Title", "Moon Lovers")
    muted = lambda: browser.run("return document.querySelector('.phone-when .icon') !== null")
    assert not muted(), "a push that sounds has a muted bell"
    browser.choose("Sound", "None")
    browser.wait(muted, "the muted bell")
    browser.see("The push arrives without a sound.")
    browser.picture("content-silent")
    browser.wait(lambda: sound() is None, "no sound to be saved")
    browser.choose("Sound", "A file in the app")
    browser.fill("Name of the sound file", "bell.caf")
    browser.wait(lambda: sound() == "bell.caf", "the file to be saved")
    # A closed part says what is set in it.
    browser.run("document.querySelector('.fold').open = true")
    browser.fill("Badge", "3")
    browser.wait(lambda: "Badge 3" in browser.run("return document.querySelector('.fold summary').innerText"), "the badge in the head")


@story("template")
def keeps_actions_the_same_in_all_languages(world):
    browser = world.browser
    template = world.workspace.make("templates", {"name": "Pages languages", "content": {"payload": GREETING}})
    path = f"{world.workspace.path}/templates/{template}"
    browser.open(world.page(f"/templates/{template}"))
    browser.click("Add a language")
    browser.click("German (de)")
    browser.wait(lambda: "locale=de" in browser.path(), "the German tab")
    browser.fill("Title", "Abendglocken")
    browser.click("English *", "tab")
    browser.choose("Actions", "CONCERT (Remind me, Book seats)")
    browser.see("German changed as well, because it was the same there.")
    browser.picture("languages-followed")
    browser.click("German", "tab")
    assert browser.value("Actions") == "CONCERT", browser.value("Actions")
    browser.choose("Sound", "Default")
    browser.click("Only German")
    browser.see("German differs from English: Sound.")
    browser.picture("languages-differ")
    browser.click("Publish version 2")
    browser.wait(lambda: world.api.get(path)["version"] == 2, "the second version")
    content = world.api.get(path)["content"]
    german = content["variants"]["de"]["aps"]
    assert german["category"] == content["payload"]["aps"]["category"] == "CONCERT", content
    assert german["sound"] == "default" and "sound" not in content["payload"]["aps"], content


# Contents whose bytes are easily counted wrong: tags, characters of several bytes, escapes, an empty payload, data.
UNCHANGED = [
    {"aps": {"alert": {"title": "Hi {{ first_name }}", "body": "{% if plan %}a{% endif %}"}, "sound": "default"}},
    {"aps": {"alert": "月光 🌙 “bells”\n\t\\"}},
    {"aps": {"badge": 3, "relevance-score": 0.5}, "url": "https://a.example/?b=1", "list": [1, True, None, {"a": "b"}]},
    {},
]
RENDERED = [
    'Hi {{ first_name | default: "there" }}', '{{ user_id | upcase }} 月光 🌙', '{% if locale %}{{ locale }}{% else %}nowhere{% endif %}',
]
COUNT = """
const [payload, done] = arguments;
Promise.all([import("/js/content/sent-payload.js"), import("/js/content/payload.js"), import("/js/session.js")])
  .then(([{ sentPayload }, { bytesOf }, { session }]) => done(bytesOf(sentPayload(payload, session.thisApp))), (error) => done(String(error)));
"""
# Apple's limit is 4,096 bytes: the server says how many they are when they are more.
FILLING = {"filling": "x" * 4_200}


@story("editor", "template")
def counts_the_bytes_that_the_server_counts(world):
    browser, workspace = world.browser, world.workspace
    draft = workspace.make("campaigns", {"name": "Pages bytes", "payload": UNCHANGED[0]})
    browser.open(world.page(f"/campaigns/{draft}/content"))
    browser.settle()
    shown = lambda: int(browser.run("return document.querySelector('.byte-meter p').innerText").split()[0].replace(",", ""))
    assert shown() == browser.driver.execute_async_script(COUNT, UNCHANGED[0]), shown()
    for payload in UNCHANGED:
        counted = browser.driver.execute_async_script(COUNT, payload | FILLING)
        assert counted == refused_bytes(world, payload | FILLING), (payload, counted, refused_bytes(world, payload | FILLING))
    for body in RENDERED:
        payload = {"aps": {"alert": {"title": "Bells", "body": body}}}
        template = workspace.make("templates", {"name": "Pages bytes", "content": {"payload": payload}})
        browser.open(world.page(f"/templates/{template}"))
        browser.settle()
        person = browser.wait(lambda: browser.run("return document.querySelector('.stage select').value"), "a person")
        preview = world.api.post(f"{workspace.path}/templates/{template}/preview", {"installation": person})["variants"][0]
        browser.wait(lambda: shown() == preview["length"], f"{preview['length']} bytes in place of {shown()}")
        worst = world.api.get(f"{workspace.path}/templates/{template}")["sizes"][0]["max_bytes"]
        if worst > preview["length"]:
            browser.see(f"Up to {worst} for the longest values.")


def refused_bytes(world, payload):
    """The bytes of a payload that is too long, in the server's refusal."""
    try:
        world.workspace.make("campaigns", {"name": "Pages too long", "payload": payload})
    except RuntimeError as refusal:
        return int(re.search(r"payload is (\d+) bytes long with the message id", str(refusal))[1])
    raise AssertionError("the payload is not refused")
