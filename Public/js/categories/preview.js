// A long-pressed notification with the actions of a category, about as a phone shows it.

import m from "../m.js";
import { t } from "../i18n.js";
import { textIn } from "../setup/languages.js";
import { session } from "../session.js";
import { Bell } from "../ui/bell.js";
import { Icon } from "../ui/icon.js";
import { Switch } from "../ui/field.js";
import { symbols } from "./model.js";

/** `selected` is the index of the action whose text field is open. */
export function CategoryPreview() {
  let isHidden = false;
  return {
    view: ({ attrs: { category, language, selected, readonly, onselect } }) => {
      const read = (text) => textIn(text, language) || textIn(text, "default");
      const open = category.actions[selected]?.text_input ? category.actions[selected] : null;
      const hiddenText = read(category.hidden_previews_body_placeholder).replace("%u", "1").replace("%%", "%") ||
        t("category.notification");
      const showsTitle = !isHidden || category.options.includes("hidden_previews_show_title");
      return m(
        "div.stack",
        m(
          "div.wallpaper",
          { lang: language === "default" ? undefined : language },
          m(
            "div.note-card",
            m("span.note-icon", m(Bell)),
            m(
              "div.note-text",
              m(
                "div.note-head",
                m("b.cut", showsTitle ? t("category.sampleTitle") : session.thisApp?.name),
                m("span", t("category.now")),
              ),
              m("p", isHidden ? hiddenText : t("category.sampleBody")),
            ),
          ),
          !isHidden && (open
            ? m(
              "div.note-reply",
              m("span.note-input.cut", read(open.text_input.placeholder)),
              m("b", read(open.text_input.button_title) || t("category.send")),
            )
            : category.actions.length > 0 && m(
              "div.note-actions",
              category.actions.map((action, index) =>
                m(
                  "button.note-action",
                  {
                    key: action.identifier || index,
                    type: "button",
                    class: action.options.includes("destructive") ? "destructive" : "",
                    onclick: () => onselect(index),
                  },
                  m("span.cut", read(action.title) || t("category.noTitle")),
                  m(ActionIcon, { icon: action.icon }),
                )
              ),
            )),
          isHidden && m("p.note-lock", t("category.locked")),
        ),
        m(Switch, {
          label: t("category.showHidden"),
          checked: isHidden,
          onchange: (isOn) => {
            isHidden = isOn;
          },
        }),
        m(
          "p.soft.meta",
          t(
            open
              ? "category.previewReply"
              : readonly || !category.actions.length
              ? "category.previewOnly"
              : "category.previewNote",
          ),
        ),
        open && m(
          "div.row",
          m("button.button.small", { type: "button", onclick: () => onselect(null) }, t("category.showActions")),
        ),
      );
    },
  };
}

/** A symbol that is not known here is a dashed square. */
const ActionIcon = {
  view: ({ attrs: { icon } }) => {
    const name = icon?.system_image_name ?? icon?.template_image_name;
    if (!name) return null;
    const known = icon.system_image_name && symbols[name.replace(/\.fill$/, "")];
    return known ? m(Icon, { name: known }) : m("span.no-symbol", { title: name });
  },
};
