// A schema as a tree of members. The members below a member are drawn when it is opened, so schemas may contain
// themselves.

import m from "../m.js";
import { t } from "../i18n.js";
import { Prose } from "./prose.js";
import { inside, limitWords, plain, typeWords } from "./schema.js";

/** The limits, values and examples of a member. */
const Notes = {
  view: ({ attrs: { schema } }) => {
    const limits = limitWords(schema);
    const [example] = schema.examples ?? [];
    const values = schema.enum ?? schema.items?.enum;
    return [
      limits.length > 0 && m("span.soft.meta", { "data-raw": "" }, limits.join(" · ")),
      schema.description && m(Prose, { text: schema.description }),
      values &&
      m(
        "span.values",
        { "aria-label": t("reference.values") },
        values.map((value) => m("code", { key: String(value) }, JSON.stringify(value))),
      ),
      example !== undefined && typeof example !== "object" &&
      m("span.soft.meta", t("reference.example"), " ", m("code", JSON.stringify(example))),
    ];
  },
};

/** One member; `name` null for the entries of a map. */
function Member() {
  let isOpen = false;
  return {
    view: ({ attrs: { document, name, part, isRequired } }) => {
      const schema = plain(document, part);
      const below = inside(document, schema);
      const head = [
        name === null ? m("i.soft", t("reference.anyName")) : m("code.member-name", name),
        m("span.soft.meta", typeWords(document, schema)),
        isRequired && m("span.required.meta", t("reference.required")),
        schema.writeOnly && m("span.soft.meta", t("reference.writeOnly")),
      ];
      return m(
        "li.member",
        below
          ? m("button.member-head", {
            type: "button",
            "aria-expanded": isOpen ? "true" : "false",
            onclick: () => {
              isOpen = !isOpen;
            },
          }, head)
          : m("div.member-head", head),
        m("div.member-notes", m(Notes, { schema })),
        below && isOpen && m(Level, { document, below }),
      );
    },
  };
}

/** The members of one level, or the forms that it can have. */
const Level = {
  view: ({ attrs: { document, below } }) =>
    m(
      "ul.members",
      below.options
        ? below.options.map((part, index) =>
          m(
            "li.option",
            { key: index },
            m("p.meta", t("reference.option", { count: index + 1 })),
            m(Root, { document, part }),
          )
        )
        : [
          ...below.members.map(([name, part]) =>
            m(Member, { key: name, document, name, part, isRequired: below.required.has(name) })
          ),
          ...(below.entries ? [m(Member, { key: " any", document, name: null, part: below.entries })] : []),
        ],
    ),
};

/** A whole schema: its own words and its first level. */
export const Root = {
  view: ({ attrs: { document, part } }) => {
    const schema = plain(document, part);
    const below = inside(document, schema);
    return m(
      "div.schema",
      m("p.soft.meta", typeWords(document, schema)),
      m("div.member-notes", m(Notes, { schema })),
      below && m(Level, { document, below }),
    );
  },
};
