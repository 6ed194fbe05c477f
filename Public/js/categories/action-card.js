// One action of a category: its text, what it does, its icon, its text field.

import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { textIn, withText } from "../setup/languages.js";
import { Button } from "../ui/button.js";
import { Check, Switch, TextField } from "../ui/field.js";
import { dropTarget } from "../ui/file-drop.js";
import { Icon } from "../ui/icon.js";
import { fallback } from "../ui/fallback.js";
import { actionOptions, identifierFor, symbols } from "./model.js";

/** `path` is the action's in problems, `onchange` follows each change inside of `action`. */
export function ActionCard() {
  let current;
  const target = dropTarget({
    accepts: () => current.drag.from !== null,
    ondrop: () => {
      current.onmove(current.drag.from, current.index);
      current.drag.from = null;
    },
  });
  return {
    view: ({ attrs }) => {
      current = attrs;
      const {
        action,
        index,
        count,
        language,
        problems,
        path,
        taken,
        readonly,
        isOpen,
        onopen,
        onchange,
        onmove,
        ondelete,
        drag,
      } = attrs;
      const isDefault = language === "default";
      const localized = (label, holder, name, own, more = {}) =>
        m(TextField, {
          label,
          readonly,
          value: textIn(holder[name], language),
          placeholder: isDefault ? more.placeholder : fallback(textIn(holder[name], "default")),
          maxlength: 200,
          lang: isDefault ? undefined : language,
          optional: !isDefault || more.optional,
          help: more.help,
          error: problems.at(`${own}.${language}`) ?? (isDefault ? problems.at(own) : undefined),
          oninput: (value) => {
            holder[name] = withText(holder[name], language, value);
            more.then?.(value);
            onchange();
          },
        });
      const toggle = (option) => (isOn) => {
        action.options = actionOptions.filter((each) => (each === option ? isOn : action.options.includes(each)));
        onchange();
      };
      const title = textIn(action.title, language) || textIn(action.title, "default") || t("category.noTitle");
      const wrong = problems.below(path);
      return m(
        "li.action-card",
        {
          class: `${isOpen ? "open" : ""} ${target.isOver ? "over" : ""} ${wrong ? "wrong" : ""}`,
          ...target.attrs,
        },
        m(
          "div.action-head",
          !readonly && m("button.handle", {
            type: "button",
            draggable: true,
            "aria-label": t("category.move", { title, place: index + 1, all: count }),
            title: t("category.moveHelp"),
            ondragstart: (event) => {
              drag.from = index;
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", title);
            },
            ondragend: () => {
              drag.from = null;
            },
            onkeydown: (event) => {
              const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
              if (!step) return;
              event.preventDefault();
              const own = event.currentTarget;
              onmove(index, index + step);
              requestAnimationFrame(() => own.isConnected && own.focus());
            },
          }, m(Icon, { name: "grip-vertical" })),
          m(
            "button.action-title",
            { type: "button", "aria-expanded": isOpen ? "true" : "false", onclick: onopen },
            m("b.cut", { class: action.options.includes("destructive") ? "danger" : "" }, title),
            m(
              "span.soft.meta",
              [
                action.text_input && t("category.withText"),
                ...action.options.map((each) => t(`category.option.${each}.short`)),
              ].filter(Boolean).join(" · "),
            ),
            m(Icon, { name: isOpen ? "chevron-up" : "chevron-down" }),
          ),
          !readonly &&
            m(Button, {
              variant: "plain",
              icon: "trash",
              class: "small",
              title: t("action.remove"),
              "aria-label": labelled(t("action.remove"), title),
              onclick: ondelete,
            }),
        ),
        isOpen &&
          m(
            "div.stack.action-body",
            m(
              "div.columns",
              localized(t("category.actionTitle"), action, "title", `${path}.title`, {
                then: (value) => {
                  if (isDefault && action.fresh) action.identifier = identifierFor(value, taken);
                },
              }),
              m(TextField, {
                label: t("category.actionID"),
                help: t("category.actionIDHelp"),
                value: action.identifier,
                maxlength: 128,
                spellcheck: false,
                readonly,
                error: problems.at(`${path}.identifier`),
                oninput: (value) => {
                  action.identifier = value;
                  delete action.fresh;
                  onchange();
                },
              }),
            ),
            m(
              "fieldset.stack",
              { style: { "--gap": "8px" } },
              m("legend.field-label", t("category.does")),
              actionOptions.map((option) =>
                m(Check, {
                  key: option,
                  disabled: readonly,
                  checked: action.options.includes(option),
                  onchange: toggle(option),
                  label: [
                    t(`category.option.${option}.name`),
                    m("span.field-help.soft", t(`category.option.${option}.text`)),
                  ],
                })
              ),
            ),
            m(TextField, {
              label: t("category.icon"),
              optional: true,
              help: t("category.iconHelp"),
              list: "sf-symbols",
              spellcheck: false,
              readonly,
              value: action.icon?.system_image_name ?? action.icon?.template_image_name ?? "",
              error: problems.at(`${path}.icon`) ?? problems.at(`${path}.icon.system_image_name`) ??
                problems.at(`${path}.icon.template_image_name`),
              oninput: (value) => {
                action.icon = value
                  ? {
                    [action.icon?.template_image_name !== undefined ? "template_image_name" : "system_image_name"]:
                      value,
                  }
                  : null;
                onchange();
              },
            }),
            m("datalist#sf-symbols", Object.keys(symbols).map((name) => m("option", { key: name, value: name }))),
            m(Switch, {
              label: t("category.textInput"),
              help: t("category.textInputHelp"),
              checked: Boolean(action.text_input),
              disabled: readonly,
              onchange: (isOn) => {
                action.text_input = isOn ? { button_title: { default: t("category.send") }, placeholder: null } : null;
                onchange();
              },
            }),
            action.text_input &&
              m(
                "div.columns",
                localized(
                  t("category.inputButton"),
                  action.text_input,
                  "button_title",
                  `${path}.text_input.button_title`,
                ),
                localized(
                  t("category.inputPlaceholder"),
                  action.text_input,
                  "placeholder",
                  `${path}.text_input.placeholder`,
                  { optional: true },
                ),
              ),
          ),
      );
    },
  };
}
