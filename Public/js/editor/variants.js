// The variants of a campaign as tabs above its content: the first is there without a test, "+" makes it one.

import m from "../m.js";
import { t } from "../i18n.js";
import { Pick } from "../audience/inputs.js";
import { VariantTabs } from "../campaigns/variant-tabs.js";
import { begun, contentOf, most, whole, withCopy, without, withWeight } from "../draft/variants.js";
import { variantPath } from "../draft/variant-draft.js";
import { problemWords } from "../problems/problem-words.js";
import { Button } from "../ui/button.js";
import { Field } from "../ui/field.js";
import { toast } from "../ui/toast.js";
import { Winner } from "./winner.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";

/** `draft`, `place` of the variant that is shown, `onchange(place)`. */
export const Variants = {
  view: ({ attrs: { draft, place, onchange } }) => {
    const { variants } = draft.value;
    if (!variants) {
      return draft.isEditable && m(
        "div.variants",
        m(Button, {
          class: "small",
          icon: "plus-lg",
          onclick: () => {
            draft.change(begun(draft.value));
            onchange(1);
          },
        }, t("variants.begin")),
        m("span.soft", t("variants.beginHelp")),
      );
    }
    const errors = (at) =>
      draft.problems.some(({ path = "", severity }) => severity === "error" && path.startsWith(variantPath(at)));
    const shown = variants[place];
    return m(
      "section.variants.stack",
      { "aria-label": t("variants.title") },
      m(
        "div.row",
        m(VariantTabs, { variants, place, onchange, badge: (at) => (errors(at) ? "!" : null) }),
        draft.isEditable && variants.length < most && m(Button, {
          class: "small",
          icon: "plus-lg",
          onclick: () => {
            draft.change({ variants: withCopy(variants, place) });
            onchange(variants.length);
          },
        }, t("variants.add")),
      ),
      draft.isEditable && m(VariantFields, { key: place, draft, place, shown, onchange }),
      m(Goal, { key: "goal", draft }),
      m(Winner, { key: "winner", draft }),
    );
  },
};

/** By what the test is decided. It stays once the campaign was sent. */
const Goal = {
  view: ({ attrs: { draft } }) => {
    const { metric, event_name: name } = draft.value.goal;
    const [problem] = draft.problemsAt("goal", true);
    const error = problem && problemWords(problem);
    const disabled = !draft.isEditable;
    return m(
      "div.variant-goal",
      m(Field, {
        label: t("variants.goal"),
        control: (aria) =>
          m(Pick, {
            aria,
            disabled,
            value: metric,
            options: ["engaged", "opened", "event", "value"].map((value) => ({
              value,
              label: t(`variants.goals.${value}`),
            })),
            onchange: (value) =>
              draft.change({
                goal: ["event", "value"].includes(value)
                  ? { metric: value, event_name: name ?? "purchase" }
                  : { metric: value },
              }),
          }),
      }),
      name !== undefined && m(Field, {
        label: t("variants.event"),
        help: t("variants.eventHelp"),
        error,
        control: (aria) =>
          m(UncommittedInput, {
            ...aria,
            disabled,
            value: name,
            maxlength: 100,
            autocomplete: "off",
            onchange: ({ target }) => {
              const event = target.value.trim();
              if (event) draft.change({ goal: { metric, event_name: event } });
            },
          }),
      }),
    );
  },
};

const VariantFields = {
  view: ({ attrs: { draft, place, shown, onchange } }) => {
    const { variants } = draft.value;
    const change = (next) => draft.change({ variants: next });
    const input = (attrs) => (aria) => m(UncommittedInput, { ...aria, autocomplete: "off", ...attrs });
    function remove() {
      const before = { variants, winner: draft.value.winner, ...contentOf({}) };
      // The last one that is left is the content again.
      const last = variants.length === 2 ? { variants: null, winner: null, ...contentOf(variants[1 - place]) } : null;
      draft.change(last ?? { variants: without(variants, place) });
      onchange(0);
      toast(last ? t("variants.ended") : t("variants.removed", { name: shown.name }), {
        undo: () => draft.change(before),
      });
    }
    return m(
      "div.variant-fields",
      m(Field, {
        label: t("variants.name"),
        control: input({
          value: shown.name,
          maxlength: 40,
          onchange: ({ target }) => {
            const name = target.value.trim();
            if (name) change(variants.map((each, at) => (at === place ? { ...each, name } : each)));
          },
        }),
        error: draft.problemsAt(`${variantPath(place)}.name`)[0]?.message,
      }),
      m(Field, {
        label: t("variants.weight"),
        control: input({
          value: String(shown.weight / 10),
          inputmode: "decimal",
          maxlength: 5,
          onchange: ({ target }) => {
            const weight = Math.round(Number(target.value.replace(",", ".").replace("%", "")) * 10);
            if (weight >= 0 && weight <= whole) change(withWeight(variants, place, weight));
          },
        }),
        error: draft.problemsAt("variants")[0]?.message,
      }),
      m(Button, { class: "small", icon: "trash", onclick: remove }, t("variants.remove", { name: shown.name })),
    );
  },
};
