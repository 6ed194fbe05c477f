// Schedules in words.

import { city, day, dayAndClock, format, moment, t } from "../i18n.js";
import { list } from "../phrases.js";
import { spaced } from "../audience/sentence.js";
import { windowWords } from "./best-window.js";
import { parseRule, weekdays } from "./rule.js";

/** "Mon 23 Nov, 09:00", from a local time without a zone. */
export function localWords(local) {
  const time = Date.parse(`${local}Z`);
  return dayAndClock(time, { timeZone: "UTC" });
}

export function weekdayName(name, width = "short") {
  // 5 January 2026 is a Monday.
  return format("DateTimeFormat", { weekday: width, timeZone: "UTC" }).format(
    Date.UTC(2026, 0, 5 + weekdays.indexOf(name)),
  );
}

export function zoneWords({ time_zone: zone, best_time_until: until }) {
  return until ? t("schedule.theirBestTime") : zone === "recipient" ? t("schedule.theirZone") : city(zone);
}

/** A schedule as part of a sentence; null starts by hand. */
export function scheduleWords(schedule) {
  if (!schedule) return t("schedule.says.now");
  if (schedule.kind === "at") return t("schedule.says.at", { time: moment(schedule.at) });
  if (schedule.kind === "local") return theirTimeWords(schedule, "schedule.says");
  if (schedule.kind === "triggered") return t("schedule.says.triggered");
  return t("schedule.says.recurring", {
    rule: ruleWords(schedule),
    time: windowWords(schedule),
    zone: zoneWords(schedule),
  });
}

/** A time, or a window, where the phone is; `texts` is a part of the texts. */
export function theirTimeWords({ at, best_time_until: until }, texts) {
  return t(`${texts}.${until ? "bestTime" : "local"}`, { time: localWords(at), until });
}

/** A rule in words, also one that the blanks cannot hold. */
export function ruleWords({ rule }) {
  const blanks = parseRule(rule);
  if (!blanks) return t("schedule.says.special");
  const { unit, every, on, count, until } = blanks;
  const names = unit === "weeks"
    ? on.map((each) => weekdayName(each))
    : on.map((each) => t("schedule.dayOfMonth", { day: each }));
  return spaced(
    [
      every === 1 ? t(`schedule.each.${unit}`) : t(`schedule.every.${unit}`, { count: every }),
      on.length ? t("schedule.says.on", { days: list(names) }) : "",
      count
        ? t("schedule.says.times", { count })
        : until
        ? t("schedule.says.until", { day: day(Date.parse(`${until}T00:00:00Z`), { timeZone: "UTC", year: true }) })
        : "",
    ].filter(Boolean).join(" "),
  );
}

/** A time of the forecast, which has a zone or is local. */
export function occurrenceWords(text) {
  return /Z|[+-]\d\d:\d\d$/.test(text) ? moment(text) : localWords(text);
}
