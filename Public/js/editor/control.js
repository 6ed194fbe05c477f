// The control group of a campaign: a part of the audience that gets nothing, so that the effect can be seen.

import m from "../m.js";
import { t } from "../i18n.js";
import { problemWords } from "../problems/problem-words.js";
import { Field, NumberField, SelectField } from "../ui/field.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";

/** Thousandths of the people. */
const least = 10, most = 500, standard = 100;
const standardEvent = "purchase";

export const Control = {
  view: ({ attrs: { draft } }) => {
    const { control_share: share, goal } = draft.value;
    const disabled = !draft.isEditable;
    const [problem] = [...draft.problemsAt("control_share"), ...draft.problemsAt("goal", true)];
    const event = goal.event_name ?? standardEvent;
    const metric = goal.metric === "value" ? "value" : "event";
    return m(
      "div.variant-goal",
      m(SelectField, {
        label: t("control.label"),
        help: share ? t("control.help") : null,
        disabled,
        value: share ? "part" : "none",
        options: ["none", "part"].map((value) => ({ value, label: t(`control.${value}`) })),
        onchange: (value) =>
          draft.change(
            value === "part"
              ? { control_share: standard, goal: { metric, event_name: event } }
              : { control_share: null },
          ),
      }),
      share && [
        m(NumberField, {
          label: t("control.share"),
          unit: "%",
          disabled,
          min: least / 10,
          max: most / 10,
          value: share / 10,
          oninput: (value) => {
            const next = Math.round((value ?? 0) * 10);
            if (next >= least && next <= most) draft.change({ control_share: next });
          },
        }),
        m(SelectField, {
          label: t("control.measure"),
          disabled,
          value: metric,
          options: ["event", "value"].map((value) => ({ value, label: t(`control.measures.${value}`) })),
          onchange: (value) => draft.change({ goal: { metric: value, event_name: event } }),
        }),
        m(Field, {
          label: t("control.event"),
          help: t("variants.eventHelp"),
          error: problem && problemWords(problem),
          control: (aria) =>
            m(UncommittedInput, {
              ...aria,
              disabled,
              value: event,
              maxlength: 100,
              autocomplete: "off",
              onchange: ({ target }) => {
                const name = target.value.trim();
                if (name) draft.change({ goal: { metric, event_name: name } });
              },
            }),
        }),
      ],
    );
  },
};
