// The custom events that a campaign's pushes led to.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { conversionColumns } from "../custom-events/conversion-columns.js";
import { inApp } from "../session.js";
import { Table } from "../ui/table.js";

/** `campaign`. Draws nothing where no event counts as a conversion, or none happened. */
export function Conversions({ attrs: { campaign } }) {
  let groups = [];
  const ended = new AbortController();
  api.get(inApp("/statistics/conversions"), { campaigns: campaign.id }, { signal: ended.signal }).then(
    (found) => {
      groups = found.groups;
      m.redraw();
    },
    // The rest of the report is shown all the same.
    (error) => ended.signal.aborted || console.error(error),
  );
  return {
    onremove: () => ended.abort(),
    view: () =>
      groups.length > 0 && m(
        "section.sheet.stack.conversions",
        m("h2", t("conversion.title")),
        m(Table, {
          label: t("conversion.title"),
          records: groups.map((each) => ({ ...each, id: each.value })),
          columns: [
            {
              id: "event",
              label: t("conversion.event"),
              wide: true,
              cell: ({ value }) => m("b", { dir: "auto" }, value),
            },
            ...conversionColumns(groups),
          ],
        }),
        m("p.soft", t("conversion.about")),
      ),
  };
}
