// The status of the server: its processes, the work that waits, and what needs a person. It follows by looking now and
// then.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { pause } from "../events.js";
import { load, Loaded } from "../loading.js";
import { page, session } from "../session.js";
import { Findings } from "../status/findings.js";
import { PausedRuns } from "../status/paused-runs.js";
import { Processes } from "../status/processes.js";
import { Work } from "../status/work.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { UnavailablePage } from "../ui/unavailable-page.js";

/** Milliseconds between two looks. */
const pollMs = 5_000;

export default function StatusPage() {
  // It shows runs of all apps, so a role in one app does not suffice.
  if (!session.may("audit:read", null)) {
    return {
      view: () =>
        m(
          UnavailablePage,
          { title: t("error.mayNot"), text: t("status.onlyAdmins") },
          m(Button, { variant: "strong", href: page("") }, t("action.home")),
        ),
    };
  }
  const abort = new AbortController();
  const resource = load((signal) => api.get("/v1/status", {}, { signal }));
  (async () => {
    while (!abort.signal.aborted) {
      await pause(pollMs, abort.signal);
      if (!abort.signal.aborted && !document.hidden) await resource.reload();
    }
  })();

  return {
    onremove: () => {
      abort.abort();
      resource.end();
    },
    view: () => [
      m("div.page-head", m("h1", t("nav.status"))),
      m("p.soft.intro", t("status.intro")),
      Loaded({ resource, skeleton: m(Skeleton, { rows: 8, height: 30 }) }, (status) =>
        m("div.stack.gap-24", [
          m(Findings, { status }),
          m(Processes, { status }),
          m(Work, { status }),
          m(PausedRuns, { status }),
        ])),
      m(
        "p.meta.status-command",
        t("status.console"),
        " ",
        m("code", "belfry status"),
      ),
    ],
  };
}
