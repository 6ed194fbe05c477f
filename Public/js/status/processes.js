// The processes of the server: those that run, and those that ended or were lost lately.

import m from "../m.js";
import { moment, number, relative, t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { Badge } from "../ui/badge.js";
import { Empty } from "../ui/empty.js";
import { Table } from "../ui/table.js";

const variants = { running: "good", lost: "danger" };

const State = {
  view: ({ attrs: { process, now } }) => [
    m(Badge, { variant: variants[process.state] }, t(`status.state.${process.state}`)),
    m(
      "span.meta.nowrap.device-under",
      { title: moment(process.seen_at, { seconds: true }) },
      t(process.state === "ended" ? "status.ended" : "status.seen", { age: relative(process.seen_at, now) }),
    ),
  ],
};

/** On a narrow screen a cell has no head above it. */
const named = (name, content) => [m("span.narrow-label", labelled(t(`status.${name}`), "")), content];

const columns = (now) => [
  {
    id: "name",
    label: t("status.process"),
    wide: true,
    cell: ({ name, host, pid }) => [
      m("b", name),
      m("span.meta.device-under", t(name === host ? "status.pid" : "status.pidOn", { pid: String(pid), host })),
    ],
  },
  { id: "kind", label: t("status.kind"), cell: ({ kind }) => named("kind", t(`status.kinds.${kind}`)) },
  { id: "version", label: t("status.version"), cell: ({ version }) => named("version", m("code", version)) },
  {
    id: "started",
    label: t("status.started"),
    cell: ({ started_at: at }) => named("started", m("span.nowrap", moment(at))),
  },
  { id: "state", label: t("status.stateLabel"), cell: (process) => m(State, { process, now }) },
  {
    id: "batches",
    label: t("status.batches"),
    number: true,
    cell: ({ leased_batches: count }) => named("batches", number(count)),
  },
];

export const Processes = {
  view: ({ attrs: { status } }) =>
    m(
      "section.sheet.stack",
      m("h2", t("status.processes")),
      m(Table, {
        label: t("status.processes"),
        columns: columns(Date.parse(status.at)),
        records: status.processes,
        empty: m(Empty, { icon: "activity", title: t("status.noProcess") }),
      }),
    ),
};
