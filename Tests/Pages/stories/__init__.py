"""Stories of readers, each a function of the world. A module here registers its own with @story."""

import importlib
import pkgutil
import time
from dataclasses import dataclass

stories, late_stories = [], []


def story(*needs, late=False):
    """Registers a story that needs the pages of these modules of Public/js/pages. Late ones wait for what the server does once a minute: they are told last."""
    def register(function):
        (late_stories if late else stories).append((function, needs))
        return function

    return register


@dataclass(frozen=True)
class World:
    """Everything that a story works with. `server` is the demo, `cookie` the session of its admin."""

    belfry: str
    server: object
    browser: object
    workspace: object
    cookie: str

    @property
    def api(self):
        return self.workspace.api

    def page(self, path=""):
        return f"/a/{self.workspace.app}{path}"


def load():
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return stories + late_stories


def tell(world, function):
    """Runs one story as a new reader with the admin's session. Returns the seconds that it took."""
    browser, began = world.browser, time.monotonic()
    browser.place = function.__name__.replace("_", " ")
    browser.look()
    browser.visit(world.server.url, world.cookie)
    try:
        function(world)
        browser.inspect()
    except Exception as failure:
        # The other stories are told all the same.
        browser.find_fault(f"{type(failure).__name__}: {failure}")
        browser.inspect()
        browser.picture(f"failed-{function.__name__}")
    return time.monotonic() - began
