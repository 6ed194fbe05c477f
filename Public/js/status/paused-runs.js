// Runs of all apps that a person has paused. Those that Belfry has paused are findings.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { RunLink } from "./run-link.js";

export const PausedRuns = {
  view: ({ attrs: { status } }) => {
    const runs = status.paused_runs.filter(({ reason }) => reason === null);
    return runs.length > 0 && m(
      "section.sheet.stack",
      m("h2", t("status.pausedByPerson")),
      m(
        "ul.status-runs",
        runs.map((run) =>
          m(
            "li",
            { key: run.run_id },
            m("p", m(RunLink, { run })),
            m("p.meta", t("status.begun", { time: moment(run.started_at) })),
          )
        ),
      ),
    );
  },
};
