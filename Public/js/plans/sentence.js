// Says in words when a local notification appears.

import { amount, city, format, number, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { patternOf, timeOf, unitOf } from "./trigger.js";

/** "Monday" for Apple's 2; 1 January 2023 was a Sunday. */
export const weekdayName = (weekday) =>
  format("DateTimeFormat", { weekday: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2023, 0, weekday)));
export const monthName = (month) =>
  format("DateTimeFormat", { month: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2023, month - 1, 1)));
export const ordinalName = (ordinal) => t(`plan.ordinal.${ordinal}`);

export function span(seconds) {
  const [count, unit] = unitOf(seconds);
  return amount(count, unit, { unitDisplay: "long" });
}

const dayName = (components, names) =>
  format("DateTimeFormat", { ...names, timeZone: "UTC" }).format(
    new Date(Date.UTC(components.year ?? 2024, components.month - 1, components.day)),
  );

/** One sentence for a trigger. */
export function sentenceOf(trigger) {
  if (trigger.type === "interval") {
    return t(trigger.repeats ? "plan.say.every" : "plan.say.after", { time: span(trigger.seconds ?? 0) });
  }
  if (trigger.type === "app_update") {
    return trigger.seconds ? t("plan.say.updateAfter", { time: span(trigger.seconds) }) : t("plan.say.update");
  }
  if (trigger.type === "region") {
    const kind = trigger.on_entry && trigger.on_exit ? "both" : trigger.on_exit ? "leave" : "enter";
    return t(`plan.say.${kind}`, { place: trigger.identifier, radius: number(trigger.radius) }) +
      (trigger.repeats ? "" : t("plan.say.firstTime"));
  }
  const { components } = trigger;
  const zone = trigger.time_zone ? t("plan.say.inZone", { zone: city(trigger.time_zone) }) : t("plan.say.there");
  const pattern = patternOf(trigger);
  const values = { time: timeOf(components), zone };
  if (components.weekday) values.weekday = weekdayName(components.weekday);
  if (components.weekday_ordinal) values.ordinal = ordinalName(components.weekday_ordinal);
  if (components.day) values.day = components.day;
  if (pattern === "yearly") values.date = dayName(components, { day: "numeric", month: "long" });
  if (pattern === "once") values.date = dayName(components, { day: "numeric", month: "long", year: "numeric" });
  if (pattern === "custom") {
    const given = Object.entries(components).filter(([, value]) => value !== null && value !== undefined);
    values.parts = enumeration(given.map(([name, value]) => `${t(`plan.component.${name}`)} ${value}`));
    return t(trigger.repeats ? "plan.say.customRepeats" : "plan.say.custom", values);
  }
  return t(`plan.say.${pattern}`, values);
}
