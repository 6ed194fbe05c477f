// The field for the buttons below an opened notification: none, those of a category of the app, or typed ones.

import m from "../m.js";
import { rich, share, t } from "../i18n.js";
import { enumeration, withAddition } from "../phrases.js";
import { api } from "../api.js";
import { load } from "../loading.js";
import { inApp, page } from "../session.js";
import { field, pathsOf } from "../payload/fields.js";
import { Button } from "../ui/button.js";
import { Check, SelectField } from "../ui/field.js";
import { buttonsKey, buttonsOf, mostButtons, newButton, retitled, withButtons } from "./buttons.js";
import { setAps } from "./payload.js";
import { SuggestField } from "./suggest.js";
import { linkProblem } from "./tap.js";

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
      typed.length > 0 && m(Typed, { ...attrs, buttons: typed }),
    );
  },
};

const Typed = {
  view: ({ attrs }) => {
    const { payload, readonly, change, buttons } = attrs;
    const set = (next) => change(withButtons(payload, next));
    return m(
      "fieldset.typed-buttons",
      m("legend.visually-hidden", t("content.buttons.choice")),
      buttons.map((button, place) =>
        m(TypedButton, {
          key: place,
          ...attrs,
          button,
          place,
          set: (next) => set(buttons.map((each, at) => (at === place ? next : each))),
          remove: () => set(buttons.filter((_, at) => at !== place)),
        })
      ),
      !readonly && buttons.length < mostButtons &&
        m(
          "div",
          m(Button, {
            class: "small",
            icon: "plus-lg",
            onclick: () => set([...buttons, newButton(buttons)]),
          }, t("content.buttons.add")),
        ),
      m(Reach),
    );
  },
};

const TypedButton = {
  view: ({ attrs: { button, place, buttons, readonly, at, describeProblems, suggestions, set, remove } }) => {
    const path = `${buttonsKey}[${place}]`;
    const others = buttons.filter((_, index) => index !== place);
    const { title = "", link = "", destructive = false } = button;
    const problem = link ? linkProblem(link) : null;
    const said = describeProblems(at(`${path}.link`, true));
    return m(
      "div.typed-button",
      m(SuggestField, {
        ...suggestions,
        label: t("content.buttons.title", { number: place + 1 }),
        value: title,
        readonly,
        maxlength: 100,
        dir: "auto",
        ...describeProblems([...at(`${path}.title`, true), ...at(`${path}.id`, true), ...at(path)]),
        oninput: (next) => set(retitled(button, next, others)),
      }),
      m(SuggestField, {
        ...suggestions,
        label: t("content.buttons.link", { number: place + 1 }),
        value: link,
        readonly,
        spellcheck: false,
        autocapitalize: "off",
        inputmode: "url",
        dir: "ltr",
        placeholder: t("content.buttons.nothing"),
        ...said,
        ...(problem && { [problem === "insecure" ? "note" : "error"]: t(`content.tap.problem.${problem}`) }),
        oninput: (next) => {
          const { link: _, ...rest } = button;
          set(next ? { ...rest, link: next } : rest);
        },
      }),
      m(
        "div.row",
        m(Check, {
          label: t("content.buttons.destructive"),
          checked: destructive,
          disabled: readonly,
          onchange: (isOn) => {
            const { destructive: _, ...rest } = button;
            set(isOn ? { ...rest, destructive: true } : rest);
          },
        }),
        !readonly && m(Button, {
          class: "small",
          icon: "trash",
          onclick: remove,
        }, t("content.buttons.remove", { number: place + 1 })),
      ),
    );
  },
};

const days = 30, dayMs = 86_400_000;

/** Which part of the devices shows typed buttons: only the app's extension reports that a push has arrived. */
function Reach() {
  const since = `${new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)}T00:00:00Z`;
  const counted = load((signal) => api.get(inApp("/statistics/totals"), { by: "total", since }, { signal }));
  return {
    onremove: () => counted.end(),
    view: () => {
      const { accepted = 0, delivered = 0 } = counted.data?.total ?? {};
      return m(
        "p.field-help.soft",
        accepted > 0
          ? t(delivered > 0 ? "content.buttons.reach" : "content.buttons.noReach", {
            share: share(delivered, accepted),
          })
          : t("content.buttons.help"),
      );
    },
  };
}
