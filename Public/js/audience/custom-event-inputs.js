// The inputs of a condition about what people did in the app. Tests of properties are shown, and kept as they are.

import m from "../m.js";
import { t } from "../i18n.js";
import { customEventCounts, customEventDays } from "./fields.js";
import { Completed, NumberInput } from "./inputs.js";
import { propertyTests } from "./sentence.js";

export function customEventInputs({ leaf, setLeaf, invalid }) {
  return [
    m(Completed, {
      label: t("audience.eventName"),
      value: leaf.event_name,
      placeholder: t("audience.eventName"),
      invalid: invalid && leaf.event_name === "",
      onchange: (name) => setLeaf({ event_name: name }),
    }),
    m(
      "span.row.nowrap.within",
      m("span.soft", t("audience.atLeast")),
      m(NumberInput, {
        label: t("audience.atLeastTimes"),
        value: leaf.at_least ?? 1,
        whole: true,
        min: 1,
        max: customEventCounts,
        invalid,
        unit: t("audience.times"),
        onchange: (count) => setLeaf({ at_least: count }),
      }),
    ),
    m(
      "span.row.nowrap.within",
      m("span.soft", t("audience.within")),
      m(NumberInput, {
        label: t("audience.withinDays"),
        value: leaf.within_days,
        whole: true,
        min: 1,
        max: customEventDays,
        invalid,
        unit: t("audience.days"),
        onchange: (days) => setLeaf({ within_days: days }),
      }),
    ),
    leaf.where && m("span.soft", propertyTests(leaf.where)),
  ].filter(Boolean);
}
