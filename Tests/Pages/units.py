"""Facts about the pages' pure modules, told in units/*.js and tried in the browser that runs the pages."""

from pathlib import Path

UNITS = Path(__file__).resolve().parent / "units"
# A unit is the body of a function that returns facts: {"what is so": () => equal(…, …)}.
RUN = """
const done = arguments[arguments.length - 1];
const text = (value) => JSON.stringify(value, (_, each) => each === undefined ? "undefined" : each);
const equal = (found, wanted) => {
  if (text(found) !== text(wanted)) throw new Error(`${text(found)} instead of ${text(wanted)}`);
};
(async () => {
  const results = [];
  for (const [name, fact] of Object.entries(await (async () => { %s })())) {
    let failure = null;
    try {
      await fact();
    } catch (error) {
      failure = String(error);
    }
    results.push([name, failure]);
  }
  return results;
})().then(done, (error) => done([["the unit runs", String(error)]]));
"""


def check(browser):
    """Adds a finding for each fact that is none. Returns how many were tried."""
    tried = 0
    for file in sorted(UNITS.glob("*.js")):
        browser.place = file.stem
        for name, failure in browser.driver.execute_async_script(RUN % file.read_text(encoding="utf-8")):
            tried += 1
            if failure:
                browser.find_fault(f"it is no fact that {name}: {failure}")
    return tried
