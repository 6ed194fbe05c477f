// What is set in the closed parts of the form, for their heads.

import { number, t } from "../i18n.js";
import { fieldsIn } from "../payload/fields.js";
import { ownKeys, valueOf } from "./payload.js";

/** The fields of a closed part that are set: "Badge 3", "Time-sensitive", "Window to open". */
export function setIn(payload, fold) {
  return fieldsIn(fold).map((field) => {
    const value = valueOf(payload, field);
    if (value === undefined || value === "") return false;
    if (field.input === "level") return t(`content.levelNames.${value}`);
    if (field.input === "check") return value === 1 && t(field.short);
    if (fold !== "look") return t(field.label);
    return `${t(field.label)} ${typeof value === "number" && field.input === "badge" ? number(value) : value}`;
  });
}

/** "Delivery": the time always, the rest where it is not as usual. */
export function deliveryValues(
  { push_type: type = "alert", priority, expiration_seconds: seconds, collapse_id: collapse },
) {
  const usual = type === "background" ? 5 : 10;
  return [
    type !== "alert" && (type === "background" ? t("content.background") : type),
    priority && priority !== usual && t(`content.priorities.p${priority}`),
    t("content.keptFor", { time: lifetime(seconds ?? 86_400) }),
    collapse && t("content.replaces", { name: collapse }),
  ];
}

/** "1 day" of the seconds for which Apple keeps a push. */
export function lifetime(seconds) {
  if (seconds === 0) return t("content.onlyNow");
  if (seconds % 86_400 === 0) return t("content.days", { count: seconds / 86_400 });
  if (seconds % 3_600 === 0) return t("content.hours", { count: seconds / 3_600 });
  return t("content.minutes", { count: Math.round(seconds / 60) });
}

/** "Data for the app": the app's own keys too. */
export function dataValues(payload) {
  return [...ownKeys(payload).map(([name]) => name), ...setIn(payload, "data")];
}
