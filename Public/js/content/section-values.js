// What is set in the closed parts of the form, for their heads.

import { number, t } from "../i18n.js";
import { locKeys, ownKeys } from "./payload.js";

/** "Badge and interruption". */
export function lookValues({ aps = {} }) {
  const { badge, "interruption-level": level, "relevance-score": relevance, "thread-id": thread } = aps;
  const named = (name, value) => value !== undefined && `${t(`content.aps.${name}`)} ${value}`;
  return [
    named("badge", typeof badge === "number" ? number(badge) : badge),
    level && t(`content.levelNames.${level}`),
    named("relevance-score", relevance),
    named("thread-id", thread),
  ];
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

/** "Data for the app". */
export function dataValues(payload) {
  const aps = payload.aps ?? {};
  return [
    ...ownKeys(payload).map(([name]) => name),
    ...["target-content-id", "filter-criteria"].map((name) => aps[name] && t(`content.aps.${name}`)),
    aps["content-available"] === 1 && t("content.wakes"),
    aps["mutable-content"] === 1 && t("content.mutable"),
  ];
}

/** "Texts from the app". */
export function locKeyValues({ aps = {} }) {
  return locKeys.map((name) => aps.alert?.[name] && t(`content.keys.${name}`));
}
