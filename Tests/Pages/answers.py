"""Answers of the test in place of the server's."""

import json
from contextlib import contextmanager

# The page's requests to a path, by its end, are answered by the test.
ANSWER = """
const real = window.fetch;
window.fetch = (path, options) => (new URL(path, location.href).pathname.endsWith(%s)
  ? Promise.resolve(new Response(%s, { status: %d, headers: { "Content-Type": "application/json" } })) : real(path, options));
"""


@contextmanager
def answering(browser, path, body, status=200):
    """Answers requests to the path in pages that are loaded meanwhile: for what the server can't have yet."""
    script = browser.command("Page.addScriptToEvaluateOnNewDocument", source=ANSWER % (json.dumps(path), json.dumps(json.dumps(body)), status))["identifier"]
    try:
        yield
    finally:
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
