// The names of custom events that were reported, with what each means and how often it happens.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { EventDialog } from "../custom-events/dialog.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { inApp, page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Pager } from "../ui/pager.js";
import { Table } from "../ui/table.js";

export default function CustomEventsPage() {
  const list = pagedList(inApp("/custom-event-names"));
  let opened = null;
  const columns = () => [
    {
      id: "name",
      label: t("customEvents.name"),
      wide: true,
      cell: (event) => [
        m("button.link-button", { type: "button", onclick: () => (opened = event) }, m("b", event.name)),
        event.description && m("p.soft.meta.two-lines", { dir: "auto" }, event.description),
        event.conversion_days && m("p.soft.meta", t("customEvents.countsAs", { count: event.conversion_days })),
      ],
    },
    {
      id: "properties",
      label: t("customEvents.properties"),
      cell: ({ properties }) => enumeration(properties.slice(0, 6)) || m("span.soft", t("customEvents.noProperties")),
    },
    {
      id: "count",
      label: t("customEvents.count"),
      number: true,
      cell: ({ last_30_days: { count } }) => number(count),
    },
    {
      id: "amount",
      label: t("customEvents.amount"),
      number: true,
      cell: ({ last_30_days: { amount } }) => (amount ? number(amount) : "–"),
    },
  ];
  return {
    onremove: () => list.end(),
    view: () => [
      m("div.page-head", m("h1", t("nav.customEvents"))),
      m("p.soft.intro", t("customEvents.intro")),
      m(
        "section.sheet.stack",
        Loaded({ resource: list }, () =>
          list.records.length || list.hasBefore
            ? [
              m(Table, {
                label: t("nav.customEvents"),
                columns: columns(),
                records: list.records.map((each) => ({ ...each, id: each.name })),
              }),
              m(Pager, { list }),
            ]
            : m(
              Empty,
              { icon: "flag", title: t("customEvents.none") },
              m("p.soft", t("customEvents.noneText")),
              session.may("apps:read") && m(Button, { href: page("/reference") }, t("nav.reference")),
            )),
      ),
      opened && m(EventDialog, {
        key: opened.name,
        event: opened,
        onclose: () => (opened = null),
        onsaved: () => {
          opened = null;
          list.reload();
        },
      }),
    ],
  };
}
