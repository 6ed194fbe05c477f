// Badge, interruption level, relevance and thread: how a phone shows the push beside its text.

import m from "../m.js";
import { t } from "../i18n.js";
import { NumberField, SelectField, TextField } from "../ui/field.js";
import { parseBadge, setAps } from "./payload.js";

const levels = ["", "passive", "active", "time-sensitive", "critical"];

/**
 * `payload`, `at(name, deep)` (problems of a path), `describeProblems(problems)` (what a field says of them),
 * `readonly`, `change(payload)`.
 */
export default {
  view: ({ attrs: { payload, at, describeProblems, readonly, change } }) => {
    const aps = payload.aps ?? {};
    const set = (name) => (value) => change(setAps(payload, name, value));
    const common = (name) => ({
      label: t(`content.aps.${name}`),
      value: aps[name] ?? "",
      readonly,
      optional: true,
      ...describeProblems(at(`aps.${name}`)),
    });
    return m(
      "div.stack",
      m(
        "div.columns",
        m(TextField, {
          ...common("badge"),
          inputmode: "numeric",
          help: t("content.badgeHelp"),
          oninput: (next) => set("badge")(parseBadge(next)),
        }),
        m(SelectField, {
          label: t("content.level"),
          value: aps["interruption-level"] ?? "",
          disabled: readonly,
          ...describeProblems(at("aps.interruption-level")),
          options: levels.map((value) => ({ value, label: t(`content.levels.${value || "none"}`) })),
          onchange: set("interruption-level"),
        }),
      ),
      m(
        "div.columns",
        m(NumberField, {
          ...common("relevance-score"),
          value: aps["relevance-score"],
          min: 0,
          max: 1,
          step: 0.1,
          help: t("content.relevanceHelp"),
          oninput: set("relevance-score"),
        }),
        m(TextField, { ...common("thread-id"), help: t("content.threadHelp"), oninput: set("thread-id") }),
      ),
    );
  },
};
