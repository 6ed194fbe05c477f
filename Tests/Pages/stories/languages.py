"""What all languages of a content share, and the sound of a push."""

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
    sound = lambda: world.api.get(path)["payload"]["aps"].get("sound")
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
