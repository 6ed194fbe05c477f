import m from "../m.js";
import { number, t } from "../i18n.js";
import { reasonOf } from "./refused.js";

/** Lines of a file with what is wrong with them, or what was changed: {line, problems}. `limit` are shown. */
export const LineList = {
  view: ({ attrs: { lines, limit, label } }) =>
    m(
      "div.table-scroll",
      m(
        "table.table.refused",
        { "aria-label": label },
        m(
          "thead",
          m(
            "tr",
            m("th.number", { scope: "col" }, t("import.line")),
            m("th.wide", { scope: "col" }, t("import.reason")),
          ),
        ),
        m(
          "tbody",
          lines.slice(0, limit).map(({ line, problems }) =>
            m("tr", { key: line }, m("td.number", number(line)), m("td.wide", reasonOf(problems)))
          ),
        ),
      ),
    ),
};
