import m from "../m.js";
import { number, t } from "../i18n.js";
import { rowsOf } from "./attributes.js";

/** A value as a reader sees it. */
export function shownValue(value) {
  if (typeof value === "boolean") return t(value ? "person.yes" : "person.no");
  if (typeof value === "number") return number(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Attributes to read. */
export const AttributeList = {
  view: ({ attrs: { attributes, empty = t("person.noAttributes") } }) => {
    const rows = rowsOf(attributes);
    if (!rows.length) return m("p.soft", empty);
    return m(
      "dl.facts",
      rows.map(({ name }) => m("div", { key: name }, m("dt", name), m("dd", shownValue(attributes[name])))),
    );
  },
};
