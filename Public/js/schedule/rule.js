// Repetition rules (RFC 5545) as the blanks of a sentence, and back. Pure, without DOM.

export const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const units = { DAILY: "days", WEEKLY: "weeks", MONTHLY: "months" };

/**
 * The blanks of a rule: {unit: days, weeks or months, every, on: weekdays or days of the month, count, until}; null for
 * a rule that the blanks cannot hold.
 */
export function parseRule(text) {
  const parts = Object.fromEntries(
    text.replace(/^RRULE:/, "").split(";").filter(Boolean).map((each) => each.split("=")),
  );
  const { FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, COUNT, UNTIL, WKST = "MO", ...rest } = parts;
  const unit = units[FREQ];
  if (!unit || Object.keys(rest).length || WKST !== "MO" || (UNTIL && UNTIL.length !== 8)) return null;
  if (BYDAY && (unit !== "weeks" || BYDAY.split(",").some((day) => !weekdays.includes(day)))) return null;
  if (
    BYMONTHDAY && (unit !== "months" || BYMONTHDAY.split(",").some((day) => !(Number(day) >= 1 && Number(day) <= 31)))
  ) return null;
  const on = BYDAY
    ? weekdays.filter((day) => BYDAY.split(",").includes(day))
    : BYMONTHDAY
    ? BYMONTHDAY.split(",").map(Number)
    : [];
  return {
    unit,
    every: Number(INTERVAL),
    on,
    count: COUNT ? Number(COUNT) : null,
    until: UNTIL ? `${UNTIL.slice(0, 4)}-${UNTIL.slice(4, 6)}-${UNTIL.slice(6, 8)}` : null,
  };
}

export function writeRule({ unit, every, on, count, until }) {
  const parts = [`FREQ=${Object.keys(units).find((name) => units[name] === unit)}`];
  if (every > 1) parts.push(`INTERVAL=${every}`);
  if (on.length && unit === "weeks") parts.push(`BYDAY=${weekdays.filter((day) => on.includes(day)).join(",")}`);
  if (on.length && unit === "months") parts.push(`BYMONTHDAY=${[...on].sort((one, other) => one - other).join(",")}`);
  if (count) parts.push(`COUNT=${count}`);
  else if (until) parts.push(`UNTIL=${until.replaceAll("-", "")}`);
  return parts.join(";");
}

/** The weekday of a date like 2026-11-23. */
export function weekdayOf(date) {
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7];
}
