import m from "../m.js";
import { t } from "../i18n.js";
import { Check } from "./field.js";

/**
 * A table of records. `columns` are {id, label, cell(record), number, wide}: a `wide` column is the main one, which
 * takes the room and the first line on a narrow screen. `href(record)` opens one; Enter and a click do. With
 * `selection` (a Set of ids) rows have boxes. `j` and `k` move, see `keys.js`.
 */
export const Table = {
  view: ({ attrs: { label, columns, records, href, selection, empty } }) => {
    if (!records.length) return empty ?? null;
    const isAll = selection && records.every(({ id }) => selection.has(id));
    const toggle = (ids, isOn) => ids.forEach((id) => (isOn ? selection.add(id) : selection.delete(id)));
    return m(
      "div.table-scroll",
      m(
        "table.table",
        { "aria-label": label },
        m(
          "thead",
          m(
            "tr",
            selection && m(
              "th.tick",
              m(Check, {
                hidden: true,
                label: t("list.selectAll"),
                checked: isAll,
                indeterminate: !isAll && selection.size > 0,
                onchange: (isOn) => toggle(records.map(({ id }) => id), isOn),
              }),
            ),
            columns.map(({ id, label, number, wide }) =>
              m(
                "th",
                { key: id, scope: "col", class: `${number ? "number" : ""} ${wide ? "wide" : ""}` },
                label || m("span.visually-hidden", t("action.more")),
              )
            ),
          ),
        ),
        m(
          "tbody",
          records.map((record) =>
            m(
              "tr",
              {
                key: record.id,
                "data-row": "",
                class: selection?.has(record.id) ? "selected" : "",
              },
              selection && m(
                "td.tick",
                m(Check, {
                  hidden: true,
                  label: t("list.select", { name: record.name ?? record.id }),
                  checked: selection.has(record.id),
                  onchange: (isOn) => toggle([record.id], isOn),
                }),
              ),
              columns.map(({ id, cell, number, wide, label }) =>
                m(
                  "td",
                  { key: id, "data-label": label, class: `${number ? "number" : ""} ${wide ? "wide" : ""}` },
                  wide && href ? m("a.row-link", { href: href(record) }, cell(record)) : cell(record),
                )
              ),
            )
          ),
        ),
      ),
    );
  },
};
