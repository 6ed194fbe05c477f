// A chart with a sentence about its content, and its numbers as a table.

import m from "../m.js";
import { t } from "../i18n.js";
import { LineMark } from "./chart-lines.js";
import { Table } from "./table.js";

/**
 * `sentence` says what is seen; `lines` [{label}] is the legend; `table` {label, columns, records()} is made when it is
 * opened. The chart is the child.
 */
export function ChartFigure() {
  let isOpen = false;
  return {
    view: ({ attrs: { sentence, lines, table }, children }) =>
      m(
        "figure.chart",
        lines && m("ul.legend", lines.map(({ label }, line) => m("li", { key: label }, m(LineMark, { line }), label))),
        children,
        m("figcaption", sentence),
        m(
          "details",
          {
            ontoggle: (event) => {
              isOpen = event.target.open;
            },
          },
          m("summary.meta", t("report.table")),
          isOpen &&
            m("div.chart-table", m(Table, { label: table.label, columns: table.columns, records: table.records() })),
        ),
      ),
  };
}
