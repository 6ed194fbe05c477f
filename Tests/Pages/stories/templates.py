"""Contents that are used again."""

from files import png
from stories import story


@story("templates", "template")
def makes_a_template_with_a_picture_and_actions(world):
    browser = world.browser
    picture = world.server.folder / f"bells-{id(browser)}.png"
    picture.write_bytes(png(64, 32))
    browser.open(world.page("/templates"))
    browser.click("New template")
    browser.wait(lambda: browser.path().startswith(world.page("/templates/")), "the template's page")
    browser.settle()
    browser.fill("Name", "Bells with a picture")
    browser.fill("Title", "Evening bells")
    browser.fill("Text", "Tonight at eight.")
    browser.choose("Actions", "PAGES (Reply)")
    browser.give(picture)
    browser.wait(lambda: browser.value("Image, video or audio") != "", "the picture to be uploaded")
    browser.click("Expanded", "tab")
    see_on_the_phone(browser)
    browser.see("Not saved yet")
    browser.click("Publish version 2")
    browser.see("Version 2 is published.")
    browser.reload()
    browser.click("Expanded", "tab")
    see_on_the_phone(browser)
    for label, text in {"Name": "Bells with a picture", "Title": "Evening bells", "Text": "Tonight at eight."}.items():
        assert browser.value(label) == text, f"{label} is {browser.value(label)} after a reload"
    browser.picture("template-with-picture")
    template = world.api.get(f"{world.workspace.path}/templates/{browser.path().split('/')[-1]}")
    assert template["content"]["payload"]["aps"]["category"] == "PAGES", template
    assert template["content"]["media"]["id"], template
    assert template["version"] == 2, template


def see_on_the_phone(browser):
    """Texts, the picture (loaded, not only named) and the action."""
    phone = lambda: browser.run("""
        const phone = document.querySelector("figure[aria-label^='Preview']");
        return { text: phone.innerText, pictures: [...phone.querySelectorAll("img")].filter((each) => each.naturalWidth > 0).length };
    """)
    browser.wait(lambda: phone()["pictures"] == 1, lambda: f"one picture on the phone: {phone()}")
    for text in ("Evening bells", "Tonight at eight.", "Reply"):
        assert text in phone()["text"], f'the phone does not show "{text}": {phone()["text"]}'


@story("categories", "topics")
def archives_a_category_and_a_topic(world):
    browser, workspace = world.browser, world.workspace
    workspace.make("categories", {"identifier": "PAGES_OLD", "actions": [{"identifier": "old", "title": "Old"}]})
    world.api.post(f"{workspace.path}/topics", {"key": "pages-old", "name": "Pages old"})
    for path, name in (("categories", "PAGES_OLD"), ("topics", "Pages old")):
        names = lambda: browser.run("return [...document.querySelectorAll('main tbody tr b')].map((each) => each.innerText)")
        browser.open(world.page(f"/{path}"))
        browser.wait(lambda: name in names(), f"{name} in the list")
        row = f"[...document.querySelectorAll('main tbody tr')].find((each) => each.innerText.includes('{name}'))"
        browser.run(f"{row}.querySelector('summary').click()")
        browser.run(f"[...{row}.querySelectorAll('[role=menuitem]')].find((each) => each.innerText.trim() === 'Archive').click()")
        browser.see(f"“{name}” is in the archive.")
        browser.wait(lambda: name not in names(), f"{name} to leave the list")
        browser.click("Archived", "tab")
        browser.wait(lambda: names() == [name], lambda: f"{name} in the archive; there are {names()}")
        browser.picture(f"archive-{path}")
        browser.click("Undo")
        browser.see(f"“{name}” is in use again.")
        browser.wait(lambda: name not in names(), f"{name} to leave the archive")
        browser.click("In use", "tab")
        browser.wait(lambda: name in names(), f"{name} in the list again")
    world.api.delete(f"{workspace.path}/topics/pages-old")
