"""Checks the admin pages in a browser; Scripts/checks/pages runs it. Arguments: path of belfry, then names of stories."""

import collections
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import fonts
import messages
import modules
import speed
import states
import stories
import texts
import units
import walk
from api import API
from browser import Browser
from server import ROOT, Server
from workspace import Workspace

PUBLIC = ROOT / "Public"
SCREENS = ROOT / ".build" / "screens"
DEVICES = 200
# As many as the machine has cores: more of them wait for each other.
BROWSERS = 2
LANGUAGE_MODULES = """
const [parts, done] = arguments;
const read = (names) => Promise.all(names.map((name) => import(`/js/text/${name}.js`))).then((all) => Object.assign({}, ...all.map((each) => each.default)));
const whole = (language) => read([language, ...parts.map((part) => `${part}/${language}`)]);
Promise.all([whole("en"), whole("zh"), read(["zh-messages"])]).then(done, (error) => done(String(error)));
"""


def check(belfry, wanted):
    SCREENS.mkdir(parents=True, exist_ok=True)
    server = Server(belfry, "demo", "--devices", str(DEVICES))
    browsers = []
    try:
        own_fonts = fonts.configure(server.folder / "fonts")
        for number in range(BROWSERS):
            browsers.append(Browser(server.folder / f"chromium-{number}", SCREENS, own_fonts))
        return check_all(belfry, server, browsers, wanted)
    finally:
        for browser in browsers:
            browser.quit()
        server.stop()


def check_all(belfry, server, browsers, wanted):
    """Prints what was found, or one line. Returns the exit status."""
    first, began = browsers[0], time.monotonic()
    first.url = server.url
    cookie = first.enter(server.link)
    first.open("/styles")
    english, chinese, translations = first.driver.execute_async_script(LANGUAGE_MODULES, [each.name for each in (PUBLIC / "js" / "text").iterdir() if each.is_dir()])
    for browser in browsers:
        browser.learn_texts(english)
    first.findings += texts.check_files(PUBLIC, english, chinese, translations)
    first.findings += messages.check(ROOT / "Sources", translations)
    pages = modules.import_all(first, PUBLIC)
    facts = units.check(first) if not wanted or wanted == ["units"] else 0
    workspace = Workspace(API(server.url, server.create_key()))
    world = stories.World(belfry, server, None, workspace, cookie)
    there = {module for _, module in pages}
    known = stories.load()
    told = [function for function, _ in known if wanted_by(wanted, function.__name__)]
    first.findings += [f"{function.__name__}: needs pages that are not there" for function, needs in known if not there.issuperset(needs)]
    # Before the stories, which fill lists that the pages load.
    if not wanted or wanted == ["speed"]:
        campaign = workspace.campaigns
        for path in ("", "/campaigns", "/devices", "/segments", f"/campaigns/{campaign['draft']}/content", f"/campaigns/{campaign['sent']}/report"):
            print(f"         {speed.measure(first, server.url, world.page(path), cookie)}", flush=True)
    pictures = []
    jobs = [lambda browser, function=function: tell(replace(world, browser=browser), function) for function in told]
    if not wanted or wanted == ["states"]:
        chosen = list(states.places(pages, workspace))
        # One half each: a browser that is held up by an answer holds up only itself.
        jobs += [lambda browser, part=part: pictures.append(states.look_at(browser, part, server.url, cookie)) for part in (chosen[::2], chosen[1::2])]
    if not wanted or wanted == ["walk"]:
        places = list(walk.places(pages, workspace))
        completely = wanted == ["walk"]
        jobs += [lambda browser, place=place: pictures.append(walk.walk(browser, [place], server.url, cookie, completely=completely)) for place in places]
    work_off(jobs, browsers)
    findings = [finding for browser in browsers for finding in browser.findings]
    if errors := server.errors():
        findings.append(f"the server logged: {errors}")
    for finding in findings:
        print(finding)
    found = f"{len(findings)} findings" if findings else "no finding"
    print(f"{len(pages)} pages, {facts} facts, {len(told)} stories, {sum(pictures)} screenshots, {found}, {time.monotonic() - began:.0f} s")
    return 1 if findings else 0


def work_off(jobs, browsers):
    """Each browser takes the next job when it is done with one. The long ones come first."""
    left = collections.deque(jobs)

    def work(browser):
        while left:
            try:
                job = left.popleft()
            except IndexError:
                return
            job(browser)

    with ThreadPoolExecutor(len(browsers)) as pool:
        try:
            for _ in pool.map(work, browsers):
                pass
        except BaseException:
            # A signal, or an error of the check itself: the others end after what they are at.
            left.clear()
            raise


def tell(world, function):
    print(f"  {stories.tell(world, function):5.1f} s  {function.__name__.replace('_', ' ')}", flush=True)


def wanted_by(wanted, name):
    return not wanted or any(each in name for each in wanted)


def stop_on_signal(number, _):
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop_on_signal)
    sys.exit(check(sys.argv[1], sys.argv[2:]))
