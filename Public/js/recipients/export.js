// The recipients that match the filters, as a file; how many they are is said beside it.

import m from "../m.js";
import { t } from "../i18n.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { saveFile } from "../ui/download.js";
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
    const item = (format, label) => {
      const href = withParameters(inApp(`/runs/${run.id}/deliveries/export`), { ...parameters(route.query), format });
      return {
        icon: "download",
        label,
        href,
        onclick: (event) => {
          saveFile(event, href, `recipients-${run.id}.${format}`);
        },
      };
    };
    return m(
      "div.row.push",
      m(
        "span.meta",
        { role: "status" },
        count === null ? t("people.matchingUnknown") : t("people.matching", { count }),
      ),
      session.may("devices:export") && count !== 0 &&
        m(Menu, {
          label: t("people.export"),
          icon: "download",
          items: [item("csv", t("devices.csv")), item("ndjson", "NDJSON")],
        }),
    );
  },
};
