// The runs of a campaign that is sent more than once.

import m from "../m.js";
import { moment, number, share, t } from "../i18n.js";
import { page } from "../session.js";
import { done, total } from "../campaigns/run.js";
import { timeText } from "../campaigns/when.js";
import { StateBadge } from "../ui/badge.js";
import { Pager } from "../ui/pager.js";
import { Table } from "../ui/table.js";

/** `list` is the list of runs, `shown` the id of the one on the page. */
export const Runs = {
  view: (
    { attrs: { list, campaign, shown, isTriggered } },
  ) => (list.records.length < 2 && !list.hasBefore ? null : m(
    "section.sheet.stack.runs",
    m("h2", t("report.runs")),
    m("p.soft", t("report.runsText")),
    m(Table, {
      label: t("report.runs"),
      records: list.records.map((run) => ({ ...run, name: t("report.run", { time: moment(run.started_at) }) })),
      href: (run) => page(`/campaigns/${campaign}/runs/${run.id}`),
      columns: [
        {
          id: "occurrence",
          label: t("report.occurrence"),
          wide: true,
          // Many runs of a minute are told apart by their seconds.
          cell: (
            run,
          ) => [
            m(
              "b",
              { "aria-current": run.id === shown ? "true" : undefined },
              run.occurrence && !isTriggered
                ? timeText(run.occurrence)
                : moment(run.started_at, { seconds: isTriggered }),
            ),
            run.id === shown && m("span.meta.run-shown", t("report.shown")),
          ],
        },
        {
          id: "state",
          label: t("report.state"),
          cell: (run) =>
            m(
              "span.row.nowrap",
              m(StateBadge, { state: run.state }),
              run.state !== "finished" && m("span.soft", share(done(run), total(run), 0)),
            ),
        },
        ...["targeted", "accepted", "rejected", "suppressed"].map((id) => ({
          id,
          label: t(`term.${id}.name`),
          number: true,
          cell: (run) => (run[id] > 0
            ? m("a.figure-link", {
              href: page(`/campaigns/${campaign}/runs/${run.id}/people${id === "targeted" ? "" : `?kind=${id}`}`),
            }, number(run[id]))
            : m("span.soft", number(run[id]))),
        })),
      ],
    }),
    m(Pager, { list }),
  )),
};
