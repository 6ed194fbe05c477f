// The recipients that match the filters, as a file; how many they are is said beside it.

import m from "../m.js";
import { t } from "../i18n.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { Menu } from "../ui/menu.js";
import { countOf, parameters, withParameters } from "./filter.js";

/** Counts that are known, or those of a list that is shown as a whole. */
function matching(run, list, choices) {
  const isWhole = list.data && !list.isLoading && !list.next && !list.hasBefore;
  return isWhole ? list.records.length : countOf(route.query, { run, ...choices });
}

/** `run`, `list` and `choices` as of the filters. */
export const Export = {
  view: ({ attrs: { run, list, choices } }) => {
    const count = matching(run, list, choices);
    const item = (format, label) => ({
      icon: "download", label, href: withParameters(inApp(`/runs/${run.id}/deliveries/export`), { ...parameters(route.query), format }),
      // A file is the browser's: the router would look for a page.
      onclick: (event) => event.stopPropagation(),
    });
    return m("div.row.push", m("span.meta", { role: "status" }, count === null ? t("people.matchingUnknown") : t("people.matching", { count })),
      session.may("devices:export") && count !== 0 && m(Menu, { label: t("people.export"), icon: "download", items: [item("csv", t("devices.csv")), item("ndjson", "NDJSON")] }));
  },
};
