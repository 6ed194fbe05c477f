// The fields of a trigger. People choose a pattern; the API's values are made from it.

import m from "../m.js";
import { t } from "../i18n.js";
import { ZoneField } from "../app/fields.js";
import { Check, Choices, NumberField, SelectField, TextField } from "../ui/field.js";
import { monthName, ordinalName, sentenceOf, weekdayName } from "./sentence.js";
import { dateOf, patternOf, patterns, timeOf, triggerOf, unitOf, units, withPattern } from "./trigger.js";

const range = (count) => Array.from({ length: count }, (_, index) => index + 1);

export function TriggerFields() {
  let unit = null;
  let isCustom = false;
  return {
    view: ({ attrs: { trigger, onchange, problem, readonly: disabled } }) => {
      const set = (changes) => onchange({ ...trigger, ...changes });
      const choose = (name, label, options, value, store) =>
        m(SelectField, { label, value, disabled, options, error: problem(`components.${name}`), onchange: store });
      const seconds = (label) => {
        unit ??= unitOf(trigger.seconds)[1];
        return m(
          "div.row.fields-row",
          m(NumberField, {
            label,
            min: 0,
            value: trigger.seconds === null ? null : trigger.seconds / units[unit],
            disabled,
            error: problem("seconds"),
            oninput: (value) => set({ seconds: value === null ? null : value * units[unit] }),
          }),
          m(SelectField, {
            label: t("plan.unit"),
            value: unit,
            disabled,
            options: Object.keys(units).map((value) => ({ value, label: t(`plan.units.${value}`) })),
            onchange: (value) => {
              const count = trigger.seconds / units[unit];
              unit = value;
              set({ seconds: count * units[value] });
            },
          }),
        );
      };
      const calendar = () => {
        const pattern = isCustom ? "custom" : patternOf(trigger);
        const { components } = trigger;
        const component = (changes) => set({ components: { ...components, ...changes } });
        const has = (name) => patterns[pattern]?.includes(name);
        return [
          choose(
            "none",
            t("plan.pattern"),
            [...Object.keys(patterns), "custom"].map((value) => ({ value, label: t(`plan.patterns.${value}`) })),
            pattern,
            (value) => {
              isCustom = value === "custom";
              onchange(withPattern(trigger, value));
            },
          ),
          pattern === "custom"
            ? m(
              "div.component-grid",
              ["year", "month", "day", "weekday", "weekday_ordinal", "hour", "minute", "second"].map((name) =>
                m(NumberField, {
                  key: name,
                  label: t(`plan.component.${name}`),
                  value: components[name],
                  optional: true,
                  disabled,
                  error: problem(`components.${name}`),
                  oninput: (value) => {
                    const next = { ...components };
                    if (value === null) delete next[name];
                    else next[name] = value;
                    set({ components: next });
                  },
                })
              ).concat(
                m(Check, {
                  key: "repeats",
                  label: t("plan.repeats"),
                  checked: trigger.repeats,
                  disabled,
                  onchange: (repeats) => set({ repeats }),
                }),
              ),
            )
            : m(
              "div.row.fields-row",
              pattern === "nth" &&
                choose(
                  "weekday_ordinal",
                  t("plan.which"),
                  range(5).map((value) => ({ value: String(value), label: ordinalName(value) })),
                  String(components.weekday_ordinal),
                  (value) => component({ weekday_ordinal: Number(value) }),
                ),
              has("weekday") &&
                choose(
                  "weekday",
                  t("plan.component.weekday"),
                  [2, 3, 4, 5, 6, 7, 1].map((value) => ({ value: String(value), label: weekdayName(value) })),
                  String(components.weekday),
                  (value) => component({ weekday: Number(value) }),
                ),
              pattern === "yearly" &&
                choose(
                  "month",
                  t("plan.component.month"),
                  range(12).map((value) => ({ value: String(value), label: monthName(value) })),
                  String(components.month),
                  (value) => component({ month: Number(value) }),
                ),
              (pattern === "monthly" || pattern === "yearly") &&
                m(NumberField, {
                  label: t("plan.component.day"),
                  min: 1,
                  max: 31,
                  value: components.day,
                  disabled,
                  error: problem("components.day"),
                  help: pattern === "monthly" && components.day > 28 ? t("plan.shortMonths") : undefined,
                  oninput: (day) => component({ day }),
                }),
              pattern === "once" &&
                m(TextField, {
                  label: t("plan.date"),
                  type: "date",
                  value: dateOf(components),
                  disabled,
                  error: problem("components.day") ?? problem("components.year"),
                  oninput: (value) => {
                    const [year, month, day] = value.split("-").map(Number);
                    if (day) component({ year, month, day });
                  },
                }),
              m(TextField, {
                label: t("plan.time"),
                type: "time",
                value: timeOf(components),
                disabled,
                error: problem("components.hour") ?? problem("components.minute"),
                oninput: (value) => {
                  const [hour, minute] = value.split(":").map(Number);
                  if (minute !== undefined) component({ hour, minute });
                },
              }),
            ),
          m(ZoneField, {
            label: t("plan.zone"),
            optional: true,
            help: t("plan.zoneHelp"),
            disabled,
            value: trigger.time_zone ?? "",
            error: problem("time_zone"),
            oninput: (value) => {
              const next = { ...trigger, time_zone: value };
              if (!value) delete next.time_zone;
              onchange(next);
            },
          }),
        ];
      };
      const region = () => [
        m(
          "div.row.fields-row",
          m(TextField, {
            label: t("plan.place"),
            help: t("plan.placeHelp"),
            value: trigger.identifier,
            maxlength: 128,
            disabled,
            error: problem("identifier"),
            oninput: (identifier) => set({ identifier }),
          }),
          m(NumberField, {
            label: t("plan.radius"),
            unit: t("plan.metres"),
            min: 1,
            value: trigger.radius,
            disabled,
            error: problem("radius"),
            oninput: (radius) => set({ radius }),
          }),
        ),
        m(
          "div.row.fields-row",
          m(NumberField, {
            label: t("plan.latitude"),
            step: "any",
            value: trigger.latitude,
            disabled,
            error: problem("latitude"),
            oninput: (latitude) => set({ latitude }),
          }),
          m(NumberField, {
            label: t("plan.longitude"),
            step: "any",
            value: trigger.longitude,
            disabled,
            error: problem("longitude"),
            oninput: (longitude) => set({ longitude }),
          }),
        ),
        m(
          "div.row",
          m(Check, {
            label: t("plan.onEntry"),
            checked: trigger.on_entry,
            disabled,
            onchange: (isOn) => set({ on_entry: isOn }),
          }),
          m(Check, {
            label: t("plan.onExit"),
            checked: trigger.on_exit,
            disabled,
            onchange: (isOn) => set({ on_exit: isOn }),
          }),
          m(Check, {
            label: t("plan.eachTime"),
            checked: trigger.repeats,
            disabled,
            onchange: (repeats) => set({ repeats }),
          }),
        ),
        problem("on_entry") && m("p.field-help.danger", problem("on_entry")),
        m("p.soft.meta", t("plan.regionHelp")),
      ];
      return m(
        "div.stack",
        m(Choices, {
          label: t("plan.when"),
          value: trigger.type,
          inline: true,
          options: ["calendar", "interval", "region", "app_update"].map((value) => ({
            value,
            label: t(`plan.type.${value}`),
          })),
          onchange: (type) => {
            unit = null;
            isCustom = false;
            onchange(triggerOf(type, trigger));
          },
        }),
        trigger.type === "calendar" && calendar(),
        trigger.type === "region" && region(),
        trigger.type === "interval" &&
          [
            seconds(t("plan.after")),
            m(Check, {
              label: t("plan.repeats"),
              checked: trigger.repeats,
              disabled,
              onchange: (repeats) => set({ repeats }),
            }),
          ],
        trigger.type === "app_update" && seconds(t("plan.afterUpdate")),
        m("p.sunk", { role: "status" }, sentenceOf(trigger)),
      );
    },
  };
}
