// Quiet hours and frequency cap of one campaign: those of the app, its own, or none.

import m from "../m.js";
import { t } from "../i18n.js";
import { NumberInput } from "../audience/inputs.js";
import { problemWords } from "../problems/problem-words.js";
import { Field, SelectField, TextField } from "../ui/field.js";

const standard = {
  quiet_hours: { from: "22:00", to: "08:00", policy: "hold" },
  frequency_cap: { count: 3, days: 7 },
};

/**
 * `draft`; `member` of the campaign, "quiet_hours" or "frequency_cap"; `ofApp`: the app's, or null. Children edit the
 * campaign's own.
 */
export const OwnLimit = {
  view: ({ attrs: { draft, member, label, ofApp }, children }) => {
    const ignoring = `ignores_${member}`;
    const own = draft.value[member];
    const [problem] = draft.problemsAt(member, true);
    const choose = (choice) =>
      draft.change({
        [ignoring]: choice === "none",
        [member]: choice === "own" ? own ?? ofApp ?? standard[member] : null,
      });
    // Without a rule of the app there is none to ignore; an earlier choice stays visible.
    const choices = ["app", "own", ...(ofApp || draft.value[ignoring] ? ["none"] : [])];
    return [
      m(SelectField, {
        label,
        hidden: true,
        error: problem && problemWords(problem),
        disabled: !draft.isEditable,
        value: draft.value[ignoring] ? "none" : own ? "own" : "app",
        options: choices.map((value) => ({ value, label: t(`schedule.own.${member}.${value}`) })),
        onchange: choose,
      }),
      own && children,
    ];
  },
};

/** The fields of a campaign's own quiet hours. */
export const OwnQuietHours = {
  view: ({ attrs: { draft } }) => {
    const quiet = draft.value.quiet_hours;
    const set = (change) => draft.change({ quiet_hours: { ...quiet, ...change } });
    const time = (name) =>
      m(TextField, {
        type: "time",
        label: t(`schedule.own.${name}`),
        value: quiet[name],
        disabled: !draft.isEditable,
        // Empty while somebody types it.
        oninput: (value) => value && set({ [name]: value }),
      });
    return m(
      "div.stack",
      m("div.row.fields-row", time("from"), time("to")),
      m(SelectField, {
        label: t("schedule.own.policy"),
        value: quiet.policy,
        disabled: !draft.isEditable,
        options: ["hold", "skip"].map((value) => ({ value, label: t(`schedule.own.policies.${value}`) })),
        onchange: (policy) => set({ policy }),
      }),
    );
  },
};

/** The fields of a campaign's own cap. */
export const OwnCap = {
  view: ({ attrs: { draft } }) => {
    const cap = draft.value.frequency_cap;
    const field = (name, max, unit) =>
      m(Field, {
        label: t(`schedule.own.${name}`),
        control: (aria) =>
          m(NumberInput, {
            aria,
            readonly: !draft.isEditable,
            value: cap[name],
            whole: true,
            min: 1,
            max,
            unit,
            onchange: (value) =>
              value >= 1 && value <= max && draft.change({ frequency_cap: { ...cap, [name]: value } }),
          }),
      });
    return m(
      "div.row.fields-row",
      field("count", 100, t("schedule.own.pushes")),
      field("days", 90, t("schedule.own.ofDays")),
    );
  },
};
