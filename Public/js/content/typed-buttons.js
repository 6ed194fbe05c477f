// The buttons that are typed for one push: their texts, and what each opens.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { api } from "../api.js";
import { load } from "../loading.js";
import { inApp } from "../session.js";
import { Button } from "../ui/button.js";
import { Check } from "../ui/field.js";
import { buttonsKey, mostButtons, newButton, retitled, withButtons } from "./buttons.js";
import { SuggestField } from "./suggest.js";
import { linkProblem } from "./tap.js";
import { linkInput } from "./tap-field.js";

/** As `ActionsField`, and `buttons` of the payload. */
export default {
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
        placeholder: t("content.buttons.nothing"),
        ...describeProblems(at(`${path}.link`, true)),
        ...linkInput(link ? linkProblem(link) : null),
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
