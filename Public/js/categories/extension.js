// A content extension: the app's own picture of a notification, which the Info.plist of the extension describes.

import m from "../m.js";
import { t } from "../i18n.js";
import { Check, NumberField, Switch } from "../ui/field.js";

/** The layout of a new one: as high as wide, below the usual text. */
const start = {
  initial_content_size_ratio: 1,
  default_content_hidden: false,
  overrides_default_title: false,
  user_interaction_enabled: false,
};
const flags = ["default_content_hidden", "overrides_default_title", "user_interaction_enabled"];

/** `value` is the category's `content_extension` or null; `problem(name)` is the sentence for a member. */
export const ContentExtension = {
  view: ({ attrs: { value, readonly, problem, onchange } }) =>
    m(
      "section.sheet.stack",
      m("h2", t("category.extension.title")),
      m(Switch, {
        label: t("category.extension.use"),
        help: t("category.extension.useHelp"),
        checked: Boolean(value),
        disabled: readonly,
        onchange: (isOn) => onchange(isOn ? { ...start } : null),
      }),
      value && m(
        "div.sub.stack",
        m(NumberField, {
          label: t("category.extension.ratio"),
          help: t("category.extension.ratioHelp"),
          min: 0.01,
          max: 10,
          step: "any",
          disabled: readonly,
          value: value.initial_content_size_ratio,
          error: problem("initial_content_size_ratio"),
          oninput: (ratio) => onchange({ ...value, initial_content_size_ratio: ratio }),
        }),
        m(
          "div.stack",
          { style: { "--gap": "8px" } },
          flags.map((name) =>
            m(Check, {
              key: name,
              label: t(`category.extension.${name}`),
              disabled: readonly,
              checked: Boolean(value[name]),
              onchange: (isOn) => onchange({ ...value, [name]: isOn }),
            })
          ),
        ),
      ),
    ),
};
