// The campaigns whose pushes led to events of a name.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp, page } from "../session.js";
import { Table } from "../ui/table.js";
import { conversionColumns } from "./conversion-columns.js";

/** Campaigns that are shown. */
const most = 10;

/** `event` of the list. */
export function LedTo({ attrs: { event } }) {
  const counts = load((signal) =>
    api.get(inApp("/statistics/conversions"), { by: "campaign", event_name: event.name }, { signal })
  );
  return {
    onremove: () => counts.end(),
    view: () => [
      m("h3", t("customEvents.ledTo")),
      Loaded(
        { resource: counts },
        ({ groups }) =>
          groups.length === 0 ? m("p.soft", t("customEvents.ledToNone")) : m(Table, {
            label: t("customEvents.ledTo"),
            records: groups.slice(0, most).map((each) => ({ ...each, id: each.value })),
            columns: [
              {
                id: "campaign",
                label: t("customEvents.campaign"),
                wide: true,
                cell: ({ value, name }) => m("a", { href: page(`/campaigns/${value}/report`), dir: "auto" }, name),
              },
              ...conversionColumns(groups),
            ],
          }),
      ),
    ],
  };
}
