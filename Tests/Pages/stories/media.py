"""The media library: what it takes, what it refuses, and what can't be deleted."""

import json
import urllib.request
import uuid

from files import png
from stories import story
from workspace import GREETING


@story("media", "template")
def uploads_pictures_and_deletes_one_that_nothing_uses(world):
    browser, tag = world.browser, uuid.uuid4().hex[:6]
    folder = world.server.folder / f"media-{tag}"
    folder.mkdir()
    # The folder's name is in neither content: a picture is new by its width.
    width = 16 + int(tag, 16) % 900
    files = {f"bells-{tag}.png": png(width, 32), f"bells-{tag}-again.png": png(width, 32), f"notes-{tag}.txt": b"Only a text, which no phone shows."}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    large = folder / f"large-{tag}.png"
    large.write_bytes(png(8, 8) + bytes(10_000_001))

    browser.open(world.page("/media"))
    with browser.expecting("422 ("):
        browser.give("\n".join(str(folder / name) for name in files) + f"\n{large}")
        browser.see("The file is a text, which iOS does not show in a notification; use an image, a sound or a video.")
        browser.see("The image has 10 MB. The limit is 10 MB: iOS shows no larger images.")
        browser.see(f"The library already has this file: “bells-{tag}.png”.")
    browser.wait(lambda: about(browser, f"bells-{tag}.png"), "the card of the picture")
    browser.wait(lambda: f"{width} × 32" in about(browser, f"bells-{tag}.png"), "its width and height")
    browser.wait(lambda: "Not used" in about(browser, f"bells-{tag}.png"), "that nothing uses it")
    browser.picture("media-uploaded")

    browser.click(f"bells-{tag}.png, details")
    browser.see("No campaign shows it, and no template in its newest version.")
    browser.click("Delete")
    browser.see(f"Delete “bells-{tag}.png”?")
    browser.click("Delete")
    browser.see(f"“bells-{tag}.png” is deleted.")
    browser.wait(lambda: about(browser, f"bells-{tag}.png") is None, "the card to be gone")
    assert all(each["name"] != f"bells-{tag}.png" for each in world.api.get(f"{world.workspace.path}/media?limit=200")["data"])


@story("media", "template", "audit")
def says_which_template_keeps_a_file(world):
    browser, tag = world.browser, uuid.uuid4().hex[:6]
    now, before = (upload(world, f"{name}-{tag}.png", png(1 + int(tag, 16) % 900, height)) for name, height in (("now", 40), ("before", 41)))
    make = lambda name, file: world.workspace.make("templates", {"name": f"{name} {tag}", "content": {"payload": GREETING, "media": {"id": file}}})
    make("Shows it", now)
    world.workspace.make("campaigns", {"name": f"Sends it {tag}", "content": {"payload": GREETING, "media": {"id": now}}})
    changed = make("Showed it", before)
    world.api.send("PATCH", f"{world.workspace.path}/templates/{changed}", {"content": {"payload": GREETING}})

    browser.open(world.page("/media"))
    browser.wait(lambda: "Used in 2 texts" in about(browser, f"now-{tag}.png"), "the use of the picture")
    browser.click(f"now-{tag}.png, details")
    browser.see(f"Shows it {tag}")
    browser.see(f"Sends it {tag}")
    browser.find("Delete").click()
    assert browser.find("Delete").get_attribute("aria-disabled") == "true", "a file in use can be deleted"
    browser.click("Close")
    # Only the server knows about the older version.
    browser.wait(lambda: "Not used" in about(browser, f"before-{tag}.png"), "the other picture")
    browser.click(f"before-{tag}.png, details")
    browser.click("Delete")
    browser.see(f"Delete “before-{tag}.png”?")
    with browser.expecting("409 ("):
        browser.click("Delete")
        browser.see(f"The template “Showed it {tag}” uses this file, so the file can't be deleted.")
    browser.picture("media-kept")
    browser.click("Close")
    assert about(browser, f"before-{tag}.png"), "the file that could not be deleted is gone"
    # A record of an upload has no name; the list of media knows it.
    browser.open(world.page("/audit"))
    browser.see(f"media file “now-{tag}.png”")


@story("media")
def links_a_file_on_another_server(world):
    browser, tag = world.browser, uuid.uuid4().hex[:6]
    browser.open(world.page("/media"))
    browser.click("Link a file")
    browser.fill("Address", "http://media.example.com/offer.jpg")
    with browser.expecting("422 ("):
        browser.click("Add the link")
        browser.see("Must be an address that begins with https://.")
    browser.fill("Address", f"https://media.invalid/{tag}.jpg")
    browser.fill("Name", f"Offer {tag}")
    browser.click("Add the link")
    browser.see(f"“Offer {tag}” is in the library.")
    browser.wait(lambda: "Not checked" in (about(browser, f"Offer {tag}") or ""), "that it was not checked")


def about(browser, name):
    """The text of the card of a file, or None."""
    return browser.run("return [...document.querySelectorAll('.media-card')].find((each) => each.querySelector('b').innerText === arguments[0])?.innerText ?? null", name)


def upload(world, name, content):
    """Returns the id of the stored file."""
    request = urllib.request.Request(
        f"{world.api.url}{world.workspace.path}/media?name={name}", method="POST", data=content,
        headers={"Authorization": f"Bearer {world.api.key}", "Content-Type": "application/octet-stream"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.loads(response.read())["id"]
