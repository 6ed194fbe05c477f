// The runs of a campaign that is sent more than once.

import m from "../m.js";
import { t, moment, number, share } from "../i18n.js";
import { page } from "../session.js";
import { done, total } from "../campaigns/run.js";
import { timeText } from "../campaigns/when.js";
import { StateBadge } from "../ui/badge.js";
import { Pager } from "../ui/pager.js";
import { Table } from "../ui/table.js";

/** `list` is the list of runs, `shown` the id of the one on the page. */
export const Runs = {
  view: ({ attrs: { list, campaign, shown } }) => (list.records.length < 2 && !list.hasBefore ? null : m("section.sheet.stack",
    m("h2", t("report.runs")), m("p.soft", t("report.runsText")),
    m(Table, {
      label: t("report.runs"), records: list.records.map((run) => ({ ...run, name: t("report.run", { time: moment(run.started_at) }) })),
      href: (run) => page(`/campaigns/${campaign}/runs/${run.id}`),
      columns: [
        { id: "occurrence", label: t("report.occurrence"), wide: true, cell: (run) => m("b", { "aria-current": run.id === shown ? "true" : undefined }, run.occurrence ? timeText(run.occurrence) : moment(run.started_at)) },
        { id: "state", label: t("report.state"), cell: (run) => m("span.row", m(StateBadge, { state: run.state }), share(done(run), total(run), 0)) },
        ...["targeted", "accepted", "rejected", "suppressed"].map((id) => ({ id, label: t(`term.${id}.name`), number: true, cell: (run) => number(run[id]) })),
      ],
    }), m(Pager, { list }))),
};
