"""Opens every page of routes.js in both languages, both themes and both widths, and takes its picture."""

import base64
import re

from accessibility import examine
from browser import Failure

WIDTHS = {1280: 900, 390: 844}
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
# Each language, theme and width is in one of these; `make looks` looks at all of them.
PAIRS = {("en", "light", 1280), ("zh", "dark", 390)}
# axe examines each page, and then what another width, or another language and theme, changes.
EXAMINED = {
    ("en", "light", 1280): None,
    ("zh", "dark", 390): ["target-size", "color-contrast", "html-has-lang", "html-lang-valid", "valid-lang"],
}
HIGHEST = 2_400
# One address has several pages: the parameters that differ.
STEPS = {"editor": ["content", "audience", "schedule", "review"], "wizard": ["key", "app", "code", "push"]}
# Pages of a campaign look different in its states.
STATES = {"campaign": ["draft", "scheduled", "sent", "cancelled"], "report": ["sent"], "people": ["sent"]}
SIGNED_OUT = ("/sign-in",)
ELSEWHERE = "/glossary"
SPEAK = """
const [language, done] = arguments;
import("/js/i18n.js").then(({ chooseLanguage }) => chooseLanguage(language)).then(() => done(), done);
"""

# Finds what is wider than the window, apart from what scrolls by itself.
OVERFLOWING = """
if (document.documentElement.scrollWidth <= innerWidth) return null;
const wide = [...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1
  && each.checkVisibility() && !each.parentElement.closest(".table-scroll"));
return wide.slice(-3).map((each) => each.outerHTML.slice(0, 120)).join(" | ") || "?";
"""
HEADINGS = "return [...document.querySelectorAll('h1')].filter((each) => each.checkVisibility()).map((each) => each.innerText)"


def places(pages, workspace):
    """Name, address and module of every page: each route with the workspace's values for its parameters."""
    for pattern, module in pages:
        if pattern == ".*":
            yield "missing", f"/a/{workspace.app}/nowhere/to/be/found", module
            continue
        for state in STATES.get(module, [None]):
            for step in STEPS.get(module, [""]) if ":step" in pattern else [None]:
                ids = dict(workspace.ids) | ({"campaign": workspace.campaigns[state]} if state else {}) | {"step": step}
                address = re.sub(r":(\w+)", lambda match: str(ids[match[1]]), pattern)
                yield name_of(pattern, module, step, state), address, module


def name_of(pattern, module, step, state):
    """The name of a picture: the address's words, or the module for an address without any."""
    words = [word for word in pattern.removeprefix("/a/:app").split("/") if word and not word.startswith(":")]
    parts = [*(words or [module]), "one" if re.search(r"/:(?!step)\w+$", pattern) and words else None, step, state]
    return "-".join(part for part in parts if part)


def walk(browser, places, url, cookie, *, completely):
    """Returns how many pictures were taken: in every language, theme and width, or in `PAIRS` of them."""
    pictures = 0
    for name, address, module in places:
        is_signed_out = address in SIGNED_OUT
        for language in LANGUAGES:
            browser.place = f"{name} {language}"
            try:
                with browser.expecting(*(["401 (Unauthorized)"] if is_signed_out else [])):
                    if language == LANGUAGES[0] or is_signed_out:
                        browser.visit(url, None if is_signed_out else cookie, language)
                        browser.open(address)
                    else:
                        arrive_anew(browser, language, address)
                pictures += look_at(browser, name, language, completely)
            except Failure as failure:
                browser.find_fault(str(failure))
                browser.picture(f"failed-{name}-{language}")
    return pictures


def speak(browser, language):
    browser.driver.execute_async_script(SPEAK, language)


def arrive_anew(browser, language, address):
    """The page in another language, without loading the document again."""
    speak(browser, language)
    browser.follow(ELSEWHERE)
    browser.follow(address)
    browser.settle()


def look_at(browser, name, language, completely):
    pictures = 0
    for width, height in WIDTHS.items():
        for theme in THEMES:
            if not completely and (language, theme, width) not in PAIRS:
                continue
            browser.place = f"{name} {language} {theme} {width}"
            browser.look(width, height, theme)
            browser.settle()
            headings = browser.run(HEADINGS)
            if len(headings) != 1 or not headings[0].strip():
                browser.find_fault(f"has {len(headings)} headings of the first level: {headings}")
            if wide := browser.run(OVERFLOWING):
                browser.find_fault(f"is wider than the window: {wide}")
            if (language, theme, width) in EXAMINED:
                examine(browser, EXAMINED[language, theme, width])
            browser.inspect()
            take_picture(browser, f"{name}-{language}-{theme}-{width}", width, height)
            pictures += 1
    return pictures


def take_picture(browser, name, width, height):
    """A picture of the whole page, unless it is very long."""
    full = min(HIGHEST, max(height, browser.run("return document.documentElement.scrollHeight")))
    picture = browser.command("Page.captureScreenshot", format="png", optimizeForSpeed=True, captureBeyondViewport=True, clip={
        "x": 0, "y": 0, "width": width, "height": full, "scale": 1})
    (browser.screens / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))
