"""axe-core on the page as it is."""

from importlib.resources import files

AXE = (files("selenium_axe_python") / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } }, ...(arguments[0] ? { runOnly: arguments[0] } : {}) })
  .then(({ violations }) => done(violations.map(({ id, impact, help, nodes }) => ({
    id, impact, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary.replace(/\\s+/g, " ").slice(0, 200)})`),
  }))), (error) => done([{ id: "axe", impact: "critical", help: String(error), nodes: [] }]));
"""


def examine(browser, rules=None):
    """Adds a finding for each serious or critical violation, of these rules or of all."""
    browser.run(f"if (!window.axe) {{ {AXE} }}")
    for violation in browser.driver.execute_async_script(RUN, rules):
        if violation["impact"] in GRAVE:
            browser.find_fault(f"axe {violation['id']}: {violation['help']}: {' | '.join(violation['nodes'])}")
