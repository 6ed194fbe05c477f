// The changes that an import may make to devices that are known already.

import m from "../m.js";
import { t } from "../i18n.js";
import { Choices, Field, SelectField, Switch } from "../ui/field.js";
import { DayInput } from "../ui/day-field.js";

export const initialTerms = () => ({ asOf: "unknown", day: null, replacesOptOuts: false, overwritesNewer: false });

/** The parameters of the route. A file of a day counts as of its beginning, where the reader is. */
export function termsQuery({ asOf, day, replacesOptOuts, overwritesNewer }) {
  const time = { now: "now", day: day ? new Date(`${day}T00:00:00`).toISOString() : undefined }[asOf];
  return { as_of: time, replace_opt_outs: replacesOptOuts || undefined, overwrite_newer: overwritesNewer || undefined };
}

/** `onchange(terms)`. */
export const Terms = {
  view: ({ attrs: { terms, onchange } }) => {
    const change = (values) => onchange({ ...terms, ...values });
    return m(
      "section.stack",
      m("h3", t("import.terms")),
      m(Choices, {
        label: t("import.asOf"),
        value: terms.asOf,
        onchange: (asOf) => change({ asOf }),
        options: ["unknown", "now", "day"].map((value) => ({
          value,
          label: t(`import.asOfChoice.${value}`),
          help: t(`import.asOfHelp.${value}`),
        })),
      }),
      terms.asOf === "day" && m(Field, {
        label: t("import.day"),
        control: (aria) => m(DayInput, { ...aria, value: terms.day, onchange: (day) => change({ day }) }),
      }),
      m(Switch, {
        label: t("import.replaceOptOuts"),
        help: t("import.replaceOptOutsHelp"),
        checked: terms.replacesOptOuts,
        onchange: (replacesOptOuts) => change({ replacesOptOuts }),
      }),
      m(Switch, {
        label: t("import.overwriteNewer"),
        help: t("import.overwriteNewerHelp"),
        checked: terms.overwritesNewer,
        onchange: (overwritesNewer) => change({ overwritesNewer }),
      }),
    );
  },
};

/** The environment of tokens whose line names none. */
export const EnvironmentField = {
  view: ({ attrs: { value, onchange } }) =>
    m(SelectField, {
      class: "import-environment",
      label: t("import.environment"),
      help: t("import.environmentHelp"),
      value,
      onchange,
      options: ["production", "development"].map((each) => ({
        value: each,
        label: t(`import.environmentChoice.${each}`),
      })),
    }),
};
