// One field of a closed part of the form, by the input that the table of fields gives it.

import m from "../m.js";
import { t } from "../i18n.js";
import { problemWords } from "../problems/problem-words.js";
import { NumberField, SelectField, TextField } from "../ui/field.js";
import { parseBadge, setValue, valueOf } from "./payload.js";

const levels = ["", "passive", "active", "time-sensitive", "critical"];

/** Arguments are typed in one field; a Chinese keyboard has another comma. */
const [separator, separators] = [", ", /[,，]\s*/];

/** Each input draws a field: `common` are its attributes, `set(value)` changes it. */
const inputs = {
  text: (common, set) => m(TextField, { ...common, oninput: set }),
  key: (common, set) => m(TextField, { ...common, spellcheck: false, oninput: set }),
  args: (common, set) =>
    m(TextField, {
      ...common,
      value: Array.isArray(common.value) ? common.value.join(separator) : common.value,
      spellcheck: false,
      oninput: (next) => set(next ? next.split(separators) : []),
    }),
  badge: (common, set) => m(TextField, { ...common, inputmode: "numeric", oninput: (next) => set(parseBadge(next)) }),
  score: (common, set) => m(NumberField, { ...common, min: 0, max: 1, step: 0.1, oninput: set }),
  level: ({ optional: _, readonly, ...common }, set) =>
    m(SelectField, {
      ...common,
      disabled: readonly,
      options: levels.map((value) => ({ value, label: t(`content.levels.${value || "none"}`) })),
      onchange: set,
    }),
};

function check(field, { payload, at, readonly, change }) {
  const [problem] = at(field.path);
  return m(
    "label.check",
    { key: field.name },
    m("input", {
      type: "checkbox",
      disabled: readonly,
      checked: valueOf(payload, field) === 1,
      onchange: (event) => change(setValue(payload, field, event.target.checked ? 1 : undefined)),
    }),
    m("span", t(field.label), problem && m("span.field-help.warn", problemWords(problem))),
  );
}

/**
 * Draws a `field` of the table. `form` has `payload`, `at(path, deep)` (problems of a path),
 * `describeProblems(problems)` (what a field says of them), `readonly` and `change(payload)`.
 */
export function payloadField(field, form) {
  if (field.input === "check") return check(field, form);
  const { payload, at, describeProblems, readonly, change } = form;
  const common = {
    key: field.name,
    label: t(field.label),
    value: valueOf(payload, field) ?? "",
    readonly,
    optional: true,
    help: field.help && t(field.help),
    ...describeProblems(at(field.path, field.input === "args")),
  };
  return inputs[field.input](common, (next) => change(setValue(payload, field, next)));
}
