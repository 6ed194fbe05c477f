// The choice between testing the whole audience, and testing a part before the winner goes to the rest.

import m from "../m.js";
import { t } from "../i18n.js";
import { hourSeconds, shares, standard, times, withDecision } from "../draft/winner.js";
import { problemWords } from "../problems/problem-words.js";
import { NumberField, SelectField } from "../ui/field.js";

const choicesOf = (values, prefix) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));

/** `draft` with variants. */
export const Winner = {
  view: ({ attrs: { draft } }) => {
    const { winner: rule, variants } = draft.value;
    const disabled = !draft.isEditable;
    const change = (winner) => draft.change({ winner });
    const [problem] = draft.problemsAt("winner", true);
    return m(
      "div.variant-goal",
      m(SelectField, {
        label: t("variants.winner.label"),
        help: rule ? t("variants.winner.help") : null,
        error: problem && problemWords(problem),
        disabled,
        value: rule ? "part" : "all",
        options: choicesOf(["all", "part"], "variants.winner"),
        onchange: (value) => change(value === "part" ? standard : null),
      }),
      rule && [
        m(NumberField, {
          label: t("variants.winner.share"),
          unit: "%",
          disabled,
          min: shares.min / 10,
          max: shares.max / 10,
          value: rule.share / 10,
          oninput: (value) => {
            const share = Math.round((value ?? 0) * 10);
            if (share >= shares.min && share <= shares.max) change({ ...rule, share });
          },
        }),
        m(SelectField, {
          label: t("variants.winner.decision"),
          disabled,
          value: rule.decision,
          options: choicesOf(["automatic", "when_clear", "by_hand"], "variants.winner"),
          onchange: (value) => change(withDecision(rule, value)),
        }),
      ],
      rule && rule.decision !== "by_hand" && [
        m(NumberField, {
          label: t(`variants.winner.${rule.decision === "automatic" ? "after" : "within"}`),
          unit: t("variants.winner.hours"),
          disabled,
          min: 0.5,
          max: times.max / hourSeconds,
          step: 0.5,
          value: rule.after_seconds / hourSeconds,
          oninput: (value) => {
            const after = Math.round((value ?? 0) * hourSeconds);
            if (after >= times.min && after <= times.max) change({ ...rule, after_seconds: after });
          },
        }),
        m(SelectField, {
          label: t("variants.winner.without"),
          disabled,
          value: rule.without_winner,
          options: [
            { value: "leader", label: t("variants.winner.leader") },
            { value: "first", label: t("variants.winner.first", { name: variants[0].name }) },
            { value: "ask", label: t("variants.winner.ask") },
          ],
          onchange: (without) => change({ ...rule, without_winner: without }),
        }),
      ],
    );
  },
};
