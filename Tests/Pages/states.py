"""Each page while it loads, when the server fails, is away, refuses or has nothing there, and when the app is empty."""

import walk
from browser import Failure
from interception import Interception

# These load nothing of an app.
WITHOUT_DATA = ("sign-in", "home", "glossary", "styles", "missing", "import", "reference")
# One state and step of each page is enough here.
CHOSEN = {"campaign": (), "editor": ("content",), "report": ("sent",), "people": ("sent",)}
SECRET = "Pages refuse this on purpose."
ANSWERS = {
    "loading": "slow", "error": {"status": 500, "detail": SECRET}, "lost": "lost",
    "refused": {"status": 403, "detail": SECRET}, "gone": {"status": 404, "detail": SECRET},
}
CONSOLE = {"error": "500 (", "lost": "ERR_CONNECTION_REFUSED", "refused": "403 (", "gone": "404 ("}
LOOK = """
const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
return {
  text: document.body.innerText, skeletons: seen("main .skeleton, main .spinner, main [aria-busy=true]").length,
  main: document.querySelector("main").innerText, headings: seen("main h1").map((each) => each.innerText),
  buttons: seen("main button, main a.button, .away button").map((each) => each.innerText),
};
"""
# A few pages in the other language and theme; pictures only, the rest is the same.
ALSO = ("campaigns", "campaigns-report-sent", "devices-one")


def places(pages, workspace):
    for name, address, module in walk.places(pages, workspace):
        steps = CHOSEN.get(module)
        if module in WITHOUT_DATA or ":" in address or address.startswith("/setup") or (module == "wizard" and not name.endswith("push")):
            continue
        if steps is None or any(name.endswith(f"-{step}") for step in steps):
            yield name, address


def look_at(browser, chosen, url, cookie):
    """Takes the picture of each state of each page, and tells what a state does not say. Returns how many pictures."""
    (browser.screens / "states").mkdir(exist_ok=True)
    pictures = 0
    browser.look()
    browser.visit(url, cookie)
    browser.open("/glossary")
    with Interception(browser) as interception:
        for state, answer in ANSWERS.items():
            with browser.expecting(*([CONSOLE[state]] if state in CONSOLE else [])):
                for name, address in chosen:
                    browser.place = f"{name}, {state}"
                    interception.answer = answer
                    pictures += show(browser, interception, state, name, address)
                interception.release()
                browser.follow("/glossary")
                browser.wait(lambda: browser.run("return window.belfryTest.pending === 0"), "the end of the requests")
    return pictures


def show(browser, interception, state, name, address):
    try:
        browser.follow(address)
        if state == "loading":
            browser.wait(lambda: browser.run(LOOK)["skeletons"] > 0, "a sign that it loads")
        else:
            browser.settle_anyhow()
        browser.picture(f"states/{name}-{state}-en-light")
        for problem in missing(state, name, browser.run(LOOK)):
            browser.find_fault(problem)
        also = 0
        if name in ALSO and state != "loading":
            for theme, language in (("dark", "en"), ("light", "zh")):
                browser.look(theme=theme)
                walk.speak(browser, language)
                browser.follow("/glossary")
                browser.follow(address)
                browser.settle_anyhow()
                browser.picture(f"states/{name}-{state}-{language}-{theme}")
                also += 1
            browser.look()
            walk.speak(browser, "en")
            browser.follow("/glossary")
            browser.follow(address)
            browser.settle_anyhow()
        if state == "loading":
            interception.release()
            browser.settle()
        elif state in ("error", "lost"):
            # The content is there when the reader tries again.
            interception.release()
            retry(browser)
        return 1 + also
    except Failure as failure:
        browser.find_fault(str(failure))
        return 0


def retry(browser):
    """Tries again until nothing is left to be tried: parts of a page fail one by one."""
    def again():
        left = browser.run("""const all = [...document.querySelectorAll("main button")].filter((each) => each.checkVisibility() && each.innerText.includes("Try again"));
            all.forEach((each) => each.click()); return all.length + window.belfryTest.pending;""")
        return left == 0 and not browser.run(LOOK)["skeletons"]

    if any("Try again" in each for each in browser.run(LOOK)["buttons"]):
        browser.wait(again, "the page to be there after another try")
        browser.settle()


def missing(state, name, seen):
    """Returns what a state lacks of what the design asks for."""
    if len(seen["headings"]) != 1:
        yield f"has {len(seen['headings'])} headings: {seen['headings']}"
    if state == "loading":
        return
    if seen["skeletons"]:
        yield "still shows that it loads"
    if len(seen["main"]) <= len("".join(seen["headings"])) + 20:
        yield "says nothing about it"
    if state in ("error", "lost") and not any("Try again" in each for each in seen["buttons"]):
        yield "offers no other try"
    if state == "lost" and "Offline" not in seen["text"]:
        yield "does not say that it is offline"
    if state == "refused" and "admin" not in seen["text"] and SECRET not in seen["text"]:
        yield "does not say that it is refused"
