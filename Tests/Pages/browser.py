"""Chromium, used as a reader uses it: by names and texts. Whatever goes wrong in a page becomes a finding."""

import os
import re
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

HERE = Path(__file__).resolve().parent
FIND = (HERE / "find.js").read_text(encoding="utf-8")
OBSERVE = (HERE / "observe.js").read_text(encoding="utf-8")
WAIT_SECONDS = 15
POLL_SECONDS = 0.02
# A page is there when it has its heading, nothing is being loaded, and no placeholder is left; /styles shows them all.
SETTLED = """
return document.readyState === "complete" && window.belfryTest && window.belfryTest.pending === 0
  && document.querySelector("main h1") !== null
  && (location.pathname === "/styles" || document.querySelector("main .skeleton, main .busy, main .spinner") === null);
"""
# Why a page is not there: what it waits for.
UNSETTLED = """
const requests = [...(window.belfryTest?.requests ?? [])].map(({ address, since }) => `${address} for ${Math.round(performance.now() - since)} ms`);
const shown = [...document.querySelectorAll("main .skeleton, main .busy, main .spinner")].map((each) => each.outerHTML.slice(0, 120));
return `it is ${document.readyState}, with the heading ${document.querySelector("main h1")?.innerText}; requests: ${requests}; shown: ${shown}`;
"""
# Until the page's module is there and drawn for the first time.
FOLLOW = """
const [address, done] = arguments;
import("/js/router.js").then(({ route }) => {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  const look = () => (route.isLoading ? setTimeout(look, 5) : requestAnimationFrame(() => requestAnimationFrame(() => done())));
  look();
}, done);
"""
# Texts that a person should never read. Code and fields may have braces of their own.
READ_TEXT = """
const skipped = "pre, code, textarea, input, select, [data-raw]";
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const texts = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  if (node.nodeValue.trim() && !parent.closest(skipped) && !parent.closest("script, noscript") && parent.checkVisibility()) {
    texts.push(node.nodeValue.trim());
  }
}
return texts;
"""
MAIN_TEXT = "return (document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body).innerText.replace(/\\s+/g, ' ').slice(0, 400)"
BROKEN_TEXT = re.compile(r"\bundefined\b|\bNaN\b|\[object \w+\]|Invalid Date|(?<!\{)\{\w+\}(?!\})")


class Failure(Exception):
    """A page does not do what a story expects."""


class Browser:
    def __init__(self, folder, screens, fonts, font_size=16):
        """`folder` is for the profile, `screens` for pictures, `fonts` the environment of fonts.py. `font_size` is the reader's usual one in pixels."""
        self.screens = screens
        self.fonts = fonts
        self.findings = []
        self.place = "start"
        self.url = ""
        self.expected = []
        self.size = None
        self.raw_key = None
        self.language_script = None
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        arguments = [
            "--headless=new", "--disable-gpu", "--force-device-scale-factor=1", "--hide-scrollbars", "--lang=en-GB",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}",
        ]
        # Chromium's sandbox does not work as root, and in a small container /dev/shm is too small for it.
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        for argument in [*arguments, "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB,en", "webkit.webprefs.default_font_size": font_size})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env=os.environ | fonts))
        self.command("Page.addScriptToEvaluateOnNewDocument", source=OBSERVE)
        self.command("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
        self.look()

    def learn_texts(self, areas):
        """The first parts of the keys of texts: a key in a page is a text that is missing."""
        self.raw_key = re.compile(rf"\b(?:{'|'.join(areas)})\.[a-z]\w*(?:\.\w+)*\b")

    def quit(self):
        self.driver.quit()

    # The reader: what they prefer, and who they are.

    def command(self, method, **values):
        return self.driver.execute_cdp_cmd(method, values)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def look(self, width=1280, height=900, theme="light"):
        if self.size != (width, height):
            self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.size = (width, height)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def visit(self, url, cookie=None, language="en"):
        """Becomes a new reader of the pages at the URL: with the session in the cookie, or without."""
        self.url = url
        # The page before asks for nothing more.
        self.driver.get("about:blank")
        if self.language_script:
            self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=self.language_script)
        chosen = f"localStorage.getItem('belfry.language') ?? localStorage.setItem('belfry.language', '{language}')"
        self.language_script = self.command("Page.addScriptToEvaluateOnNewDocument", source=f"if (location.host) {{ {chosen} }}")["identifier"]
        self.command("Storage.clearDataForOrigin", origin=url, storageTypes="all")
        if cookie:
            self.command("Network.setCookie", name="belfry_session", value=cookie, url=url, httpOnly=True, sameSite="Lax")

    def enter(self, link):
        """Opens an address that signs in once, and returns the cookie of the session."""
        self.driver.get(link)
        cookies = lambda: [each["value"] for each in self.driver.get_cookies() if each["name"] == "belfry_session"]
        return self.wait(cookies, "the session")[0]

    # Actions of the reader.

    def open(self, path):
        """Loads a page. An absolute address is opened again even if only the part behind # differs."""
        self.driver.get("about:blank")
        self.driver.get(path if path.startswith("http") else self.url + path)
        self.settle()

    def settle(self):
        self.wait(lambda: self.run(SETTLED), lambda: f"the page to be there; {self.run(UNSETTLED)}")

    def settle_anyhow(self):
        """Nothing is being loaded any more, whatever the page shows."""
        self.wait(lambda: self.run("return window.belfryTest.pending === 0 && document.querySelector('main').innerText.trim() !== ''"), "the end of the requests")
        self.draw()

    def draw(self):
        """Waits until what has happened so far is drawn."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def find(self, name, role=None, group=None):
        """The one element with this name, in the group (fieldset, section, row) with that name; waits for it."""
        known = []

        def look():
            nonlocal known
            elements, known = self.run(FIND, role, name, group)
            if len(elements) > 1:
                raise Failure(f'{len(elements)} elements are called "{name}"')
            return elements[0] if elements else None

        return self.wait(look, lambda: f'a {role or "control"} "{name}"; there are {known}')

    def has(self, name, role=None, group=None):
        return bool(self.run(FIND, role, name, group)[0])

    def click(self, name, role=None, group=None):
        def press():
            try:
                found = self.find(name, role, group)
                if not self.rests(found):
                    return False
                found.click()
                return True
            except ElementClickInterceptedException:
                # It may be behind what stays at the bottom of a narrow page: a reader scrolls then.
                self.run("arguments[0].scrollIntoView({ block: 'center' })", found)
                return False
            except WebDriverException:
                # It was just redrawn, or moves.
                return False

        self.wait(press, f'"{name}" to be clickable')

    def rests(self, element):
        """Whether it stays where it is while the page is drawn: a click on something that moves meets its neighbour."""
        return self.driver.execute_async_script(
            """
            const [element, done] = arguments;
            const place = () => JSON.stringify(element.getBoundingClientRect());
            const before = place();
            requestAnimationFrame(() => requestAnimationFrame(() => done(place() === before)));
            """, element)

    def fill(self, label, text, group=None):
        """Types the text in place of what is in the field."""
        def type_text():
            try:
                self.find(label, "field", group).send_keys(Keys.CONTROL + "a" + Keys.NULL, text)
                return True
            except StaleElementReferenceException:
                # It was just redrawn.
                return False

        self.wait(type_text, f'"{label}" to take a text')

    def choose(self, label, option, group=None):
        Select(self.find(label, "field", group)).select_by_visible_text(option)

    def value(self, label, group=None):
        return self.find(label, "field", group).get_property("value")

    def give(self, path):
        """Chooses a file in the page's one file field, which is out of sight behind its label."""
        self.wait(lambda: self.run("return document.querySelector('main input[type=file]')"), "a field for a file").send_keys(str(path))

    def reload(self):
        self.driver.refresh()
        self.settle()

    def follow(self, address):
        """Goes to a page as a link in the page does, without loading the document."""
        self.driver.execute_async_script(FOLLOW, address)

    def downloads(self, folder):
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def press(self, *keys):
        """Keys as at a keyboard: "Tab", "Enter", "/", "Control+k" or a text."""
        for key in keys:
            *modifiers, last = key.split("+") if len(key) > 1 and "+" in key else [key]
            chain = ActionChains(self.driver, duration=0)
            for each in modifiers:
                chain.key_down(getattr(Keys, each.upper()))
            chain.send_keys(getattr(Keys, last.upper(), last) if len(last) > 1 else last)
            for each in modifiers:
                chain.key_up(getattr(Keys, each.upper()))
            chain.perform()
            if last == "Escape":
                # What it closes is there until it is drawn, and would take the next key.
                self.draw()

    # Things that the reader sees.

    def text(self):
        return self.run("return (document.querySelector('dialog[open]') ?? document.body).innerText")

    def sees(self, text):
        return text in self.text()

    def see(self, text):
        self.wait(lambda: self.sees(text), lambda: f'the text "{text}"; shown: {self.run(MAIN_TEXT)}')

    def focused(self):
        """The name of what has the focus."""
        return self.run("const e = document.activeElement; return (e.ariaLabel || e.labels?.[0]?.textContent || e.innerText || '').trim()")

    def path(self):
        return self.run("return location.pathname + location.search")

    def wait(self, condition, what):
        end = time.monotonic() + WAIT_SECONDS
        while True:
            result = condition()
            if result:
                return result
            if time.monotonic() > end:
                what = what() if callable(what) else what
                raise Failure(f"waited {WAIT_SECONDS} s for {what}; at {self.driver.current_url}")
            time.sleep(POLL_SECONDS)

    def picture(self, name):
        """A picture of the window as it is."""
        self.driver.save_screenshot(str(self.screens / f"{name}.png"))

    # Faults.

    def find_fault(self, text):
        finding = f"{self.place}: {text}"
        if finding not in self.findings:
            self.findings.append(finding)

    def inspect(self):
        """Collects what the browser noticed since the last time, and texts that nobody should read."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] == "SEVERE" and not any(each in entry["message"] for each in self.expected):
                self.find_fault(f"console: {entry['message']}")
        for violation in self.run("return window.belfryTest?.violations.splice(0) ?? []"):
            self.find_fault(f"content security policy: {violation}")
        for text in self.run(READ_TEXT) if self.run("return document.body !== null") else []:
            if found := BROKEN_TEXT.search(text) or (self.raw_key and self.raw_key.search(text)):
                self.find_fault(f'text "{found[0]}" in "{text[:80]}"')

    def expecting(self, *messages):
        """While it holds, these parts of console messages are no findings."""
        return Expecting(self, messages)


class Expecting:
    def __init__(self, browser, messages):
        self.browser = browser
        self.messages = list(messages)

    def __enter__(self):
        self.browser.inspect()
        self.browser.expected += self.messages

    def __exit__(self, *_):
        self.browser.inspect()
        for message in self.messages:
            self.browser.expected.remove(message)
