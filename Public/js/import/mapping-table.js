import m from "../m.js";
import { t } from "../i18n.js";
import { Icon } from "../ui/icon.js";
import * as mapping from "./mapping.js";

/** Values of a column that are shown. */
const shownValues = 3;

const isAttribute = ({ becomes }) => becomes === mapping.deviceAttribute || becomes === mapping.personAttribute;

const option = (value, label) => ({ value, label });

/** The choices for a column. `becomes` may be a name that is in no group, as of another vendor's column. */
function groups(becomes) {
  const known = Object.values(mapping.fieldGroups).flat();
  const special = [mapping.leaveOut, mapping.deviceAttribute, mapping.personAttribute];
  return [
    { options: [option(mapping.leaveOut, t("import.leaveOut"))] },
    ...[known, special].some((names) => names.includes(becomes)) ? [] : [{ options: [option(becomes, becomes)] }],
    {
      label: t("import.group.attributes"),
      options: [
        option(mapping.deviceAttribute, t("import.deviceAttribute")),
        option(mapping.personAttribute, t("import.personAttribute")),
      ],
    },
    ...Object.entries(mapping.fieldGroups).map(([group, names]) => ({
      label: t(`import.group.${group}`),
      options: names.map((name) => option(name, t(`import.field.${name}`))),
    })),
  ];
}

const Select = {
  view: ({ attrs: { value, groups: all, onchange, ...rest } }) => {
    const draw = (each) => m("option", { value: each.value, selected: each.value === value }, each.label);
    return m(
      "select",
      { ...rest, onchange: (event) => onchange(event.target.value) },
      all.map(({ label, options }) => (label ? m("optgroup", { label }, options.map(draw)) : options.map(draw))),
    );
  },
};

/** Chooses what a column becomes; of an attribute also its name and type. */
const Becomes = {
  view: ({ attrs: { column, entry, onchange } }) => {
    const change = (values) => onchange({ ...entry, ...values, isGuess: false });
    const label = (key) => t(key, { column: column.name || t("import.unnamed") });
    return m(
      "div.mapping-becomes",
      m(Select, {
        "aria-label": label("import.becomesOf"),
        value: entry.becomes,
        groups: groups(entry.becomes),
        onchange: (becomes) => change({ becomes }),
      }),
      entry.isGuess && m("span.meta.warn", t("import.guess")),
      isAttribute(entry) && m(
        "div.mapping-attribute",
        m("input", {
          "aria-label": label("import.attributeNameOf"),
          value: entry.name,
          spellcheck: false,
          autocapitalize: "off",
          oninput: (event) => change({ name: event.target.value }),
        }),
        m(Select, {
          "aria-label": label("import.attributeTypeOf"),
          value: entry.type,
          onchange: (type) => change({ type }),
          groups: [{ options: mapping.attributeTypes.map((type) => option(type, t(`import.type.${type}`))) }],
        }),
      ),
    );
  },
};

const Fits = {
  view: ({ attrs: { sample, entry } }) => {
    if (entry.becomes === mapping.leaveOut) return m("span.soft", t("import.notImported"));
    const count = mapping.problemCount(sample, entry);
    if (count) return m("span.danger", m(Icon, { name: "exclamation-octagon" }), " ", t("import.doNotFit", { count }));
    return m("span.good", m(Icon, { name: "check-circle" }), " ", t("import.fits"));
  },
};

const values = (column) => [...new Set(column.values.filter(Boolean))].slice(0, shownValues);

/**
 * The columns of a file, or the members of its objects, as rows, so that values can't slip below another name: the
 * first values, what it becomes, and whether they fit. `onchange(index, entry)`.
 */
export const MappingTable = {
  view: ({ attrs: { sample, entries, onchange } }) => {
    const label = (key) => ({ "data-label": t(key) });
    return m(
      "div.table-scroll",
      m(
        "table.table.mapping",
        { "aria-label": t("import.columns") },
        m(
          "thead",
          m(
            "tr",
            ["import.columnOfFile", "import.firstValues", "import.becomes", "import.fit"].map((key) =>
              m("th", { key, scope: "col" }, t(key))
            ),
          ),
        ),
        m(
          "tbody",
          sample.columns.map((column, index) =>
            m(
              "tr",
              { key: index },
              m("th.wide", { scope: "row" }, column.name || m("span.soft", t("import.unnamed"))),
              m(
                "td",
                label("import.firstValues"),
                values(column).length
                  ? m(
                    "ul.mapping-values",
                    values(column).map((value) => m("li.cut", { key: value, title: value }, value)),
                  )
                  : m("span.soft", t("import.noValues")),
              ),
              m(
                "td",
                label("import.becomes"),
                m(Becomes, { column, entry: entries[index], onchange: (entry) => onchange(index, entry) }),
              ),
              m("td", label("import.fit"), m(Fits, { sample, entry: entries[index] })),
            )
          ),
        ),
      ),
    );
  },
};
