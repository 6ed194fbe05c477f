// The fields for the delivery of a push: push type, priority, how long Apple keeps it, and what it replaces.

import m from "../m.js";
import { t } from "../i18n.js";
import { SelectField, TextField } from "../ui/field.js";
import { field } from "../payload/fields.js";
import { fieldProblems } from "../problems/field-problems.js";
import { lifetime } from "./section-values.js";

const lifetimes = [0, 3_600, 14_400, 43_200, 86_400, 259_200, 604_800, 2_592_000];

export default {
  view: ({ attrs: { source } }) => {
    const { content, isEditable } = source;
    const disabled = !isEditable;
    const describe = (name) => ({ label: t(field(name).label), ...fieldProblems(source.problemsAt(name)) });
    const seconds = content.expiration_seconds ?? 86_400;
    const times = lifetimes.includes(seconds) ? lifetimes : [...lifetimes, seconds].sort((a, b) => a - b);
    const type = content.push_type ?? "alert";
    return m(
      "div.stack",
      m(
        "div.columns",
        m(SelectField, {
          ...describe("push_type"),
          value: type,
          disabled,
          help: t(`content.types.${type === "background" ? "backgroundHelp" : "alertHelp"}`),
          options: [...new Set(["alert", "background", type])].map((value) => ({
            value,
            label: ["alert", "background"].includes(value) ? t(`content.types.${value}`) : value,
          })),
          onchange: (value) => source.change({ push_type: value, priority: value === "background" ? 5 : 10 }),
        }),
        m(SelectField, {
          ...describe("priority"),
          value: String(content.priority ?? ""),
          disabled,
          options: ["", "10", "5", "1"].filter((each) =>
            each || content.priority === null || content.priority === undefined
          ).map((value) => ({ value, label: t(`content.priorities.p${value || "none"}`) })),
          onchange: (value) => source.change({ priority: value ? Number(value) : null }),
        }),
      ),
      m(
        "div.columns",
        m(SelectField, {
          ...describe("expiration_seconds"),
          value: String(seconds),
          disabled,
          help: t("content.expirationHelp"),
          options: times.map((each) => ({ value: String(each), label: lifetime(each) })),
          onchange: (value) => source.change({ expiration_seconds: Number(value) }),
        }),
        m(TextField, {
          ...describe("collapse_id"),
          value: content.collapse_id ?? "",
          readonly: disabled,
          maxlength: 64,
          optional: true,
          help: t("content.collapseHelp"),
          oninput: (value) => source.change({ collapse_id: value || null }),
        }),
      ),
    );
  },
};
