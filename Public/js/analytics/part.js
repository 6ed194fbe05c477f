// One part of the page: a heading, what can be chosen, and the numbers as a file.

import m from "../m.js";
import { t } from "../i18n.js";
import { query } from "../api.js";
import { inApp } from "../session.js";
import { Button } from "../ui/button.js";

/**
 * The way to the same numbers as a CSV file. `kind` is a route of statistics, `values` its parameters, `name` what it
 * is about.
 */
export const Export = {
  view: ({ attrs: { kind, values, name } }) =>
    m(Button, {
      class: "small",
      variant: "plain",
      icon: "download",
      "aria-label": t("analytics.exportOf", { name }),
      href: inApp(`/statistics/${kind}`) + query({ ...values, format: "csv" }),
      download: `${kind}.csv`,
    }, t("analytics.export")),
};

/**
 * A section of the page. `tools` are shown beside the title; `csv` is {kind, values} of the export; `isStale` is true
 * while new numbers are loading.
 */
export const Part = {
  view: ({ attrs: { title, note, tools, csv, isStale, class: more = "" }, children }) =>
    m(
      "section.sheet.stack.part",
      { "aria-label": title, "aria-busy": isStale ? "true" : undefined, class: more },
      m(
        "div.part-head",
        m("div.grow", m("h2", title), note && m("p.soft", note)),
        m("div.row", tools, csv && m(Export, { ...csv, name: title })),
      ),
      m("div.stack", { class: isStale ? "stale" : "" }, children),
    ),
};
