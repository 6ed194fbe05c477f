// The field for the buttons below an opened notification: none, those of a category of the app, or typed ones.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { enumeration, withAddition } from "../phrases.js";
import { page } from "../session.js";
import { field, pathsOf } from "../payload/fields.js";
import { SelectField } from "../ui/field.js";
import { Lazy } from "../ui/lazy.js";
import { buttonsKey, buttonsOf, newButton, withButtons } from "./buttons.js";
import { setAps } from "./payload.js";

/** "Order (Buy, Later)" */
function categoryLabel(identifier, actions) {
  if (!actions.length) return identifier;
  return withAddition(identifier, enumeration(actions.map(({ title }) => title.default ?? title)));
}

/** As `TapField`, and `categories` of the app. */
export const ActionsField = {
  view: ({ attrs }) => {
    const { payload, readonly, change, at, describeProblems, categories } = attrs;
    const typed = buttonsOf(payload);
    const category = payload.aps?.category ?? "";
    const choose = (next) => {
      if (next !== buttonsKey) return change(setAps(withButtons(payload, []), "category", next));
      change(withButtons(payload, [newButton([])]));
    };
    const problems = [...pathsOf(field("category")).flatMap((path) => at(path)), ...at(buttonsKey)];
    return m(
      "div.stack",
      { style: { "--gap": "8px" } },
      m(SelectField, {
        label: t(field("category").label),
        value: typed.length ? buttonsKey : category,
        disabled: readonly,
        ...describeProblems(problems),
        help: typed.length ? null : categories.length ? t("content.categoryHelp") : m(
          "span",
          rich("content.noCategories", { link: m("a", { href: page("/categories") }, t("nav.categories")) }),
        ),
        options: [
          { value: "", label: t("content.noActions") },
          { value: buttonsKey, label: t("content.buttons.choice") },
          ...categories.map(({ identifier, actions }) => ({
            value: identifier,
            label: categoryLabel(identifier, actions),
          })),
          ...(category && !categories.some(({ identifier }) => identifier === category)
            ? [{ value: category, label: category }]
            : []),
        ],
        onchange: choose,
      }),
      typed.length > 0 && m(Lazy, { module: "content/typed-buttons.js", fields: { ...attrs, buttons: typed } }),
    );
  },
};
