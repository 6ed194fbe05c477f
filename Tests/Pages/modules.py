"""The addresses of the pages and their modules, from routes.js."""

import os
import re

ROUTE = re.compile(r'\["([^"]+)", lazy\("([^"]+)"(?:, "[^"]+")*\)\]')
# Set while pages are being written: modules that are missing are then no findings.
UNFINISHED = "BELFRY_PAGES_UNFINISHED"
IMPORT = """
const [addresses, done] = arguments;
Promise.all(addresses.map((address) => import(address).then(({ default: page }) => (page ? null : "exports no page"), String))).then(done);
"""


def import_all(browser, public):
    """Imports the module of every route, and returns address and module of those that are there."""
    routes = ROUTE.findall((public / "js" / "routes.js").read_text(encoding="utf-8"))
    there = []
    for address, module in routes:
        if (public / "js" / "pages" / f"{module}.js").exists():
            there.append((address, module))
        elif UNFINISHED not in os.environ:
            browser.findings.append(f"routes.js names the module {module}, which does not exist")
    names = sorted({module for _, module in there})
    errors = browser.driver.execute_async_script(IMPORT, [f"/js/pages/{name}.js" for name in names])
    browser.findings += [f"{name}.js: {error}" for name, error in zip(names, errors) if error]
    return there
