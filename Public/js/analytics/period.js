// The period that the address describes, and the parameters of the API for it. No DOM and no texts.

import { beginOf, wallClock } from "../schedule/zones.js";

const day = 86_400_000, hour = 3_600_000;
/** The days of the choices; any others are the reader's own. */
export const presets = ["7", "30", "90"];
const usual = "30";
/** Days that the API answers for at most. */
export const longest = { hour: 124, day: 1_100 };

const isDate = (text) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

export function addDays(date, count) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * day).toISOString().slice(0, 10);
}

function daysFrom(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / day) + 1;
}

function isZone(name) {
  try {
    return Boolean(name && new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/**
 * {period, zone, unit, from, to, days, isUntilNow, problem} of the parameters of an address: `from` and `to` are dates,
 * both included. `problem` is null, or "dates", "order" or "long": then nothing can be asked.
 */
export function readPeriod(query, ownZone, now = Date.now()) {
  const zone = isZone(query.zone) ? query.zone : ownZone;
  const today = wallClock(now, zone).slice(0, 10);
  const period = query.period === "own" || presets.includes(query.period) ? query.period : usual;
  const isOwn = period === "own";
  const from = isOwn ? query.from ?? addDays(today, 1 - Number(usual)) : addDays(today, 1 - Number(period));
  const to = isOwn ? query.to ?? today : today;
  const areDates = isDate(from) && isDate(to);
  const days = areDates ? daysFrom(from, to) : 0;
  const problem = !areDates ? "dates" : days < 1 ? "order" : days > longest.day ? "long" : null;
  const unit = query.unit === "hour" && days <= longest.hour ? "hour" : "day";
  return { period, zone, unit, from, to, days, isUntilNow: areDates && to >= today, problem };
}

/** A day in UTC. In zones past midnight, today may not have begun in UTC. */
function sinceOf(from, now) {
  const today = new Date(now).toISOString().slice(0, 10);
  return `${from < today ? from : today}T00:00:00Z`;
}

/**
 * Totals go by the start of runs. Until now, they have no end: transactional pushes are counted by the day in UTC,
 * which may be tomorrow's.
 */
export function sentWithin({ from, to, zone, isUntilNow }) {
  return { since: from, time_zone: zone, ...(!isUntilNow && { until: addDays(to, 1) }) };
}

/** Days of devices are in UTC, too; the end is not included. */
export function daysWithin({ from, to, isUntilNow }, now = Date.now()) {
  return { since: sinceOf(from, now), ...(!isUntilNow && { until: `${addDays(to, 1)}T00:00:00Z` }) };
}

/** Series go by the time at which something happened. */
export function happenedWithin({ from, to, zone }) {
  return {
    since: new Date(beginOf(from, zone)).toISOString(),
    until: new Date(beginOf(addDays(to, 1), zone)).toISOString(),
  };
}

/** The beginnings of all units from one moment to another (milliseconds, not included). `zone` is where days begin. */
export function beginnings(unit, since, until, zone) {
  const found = [];
  if (unit === "day") {
    for (let date = wallClock(since, zone).slice(0, 10); beginOf(date, zone) < until; date = addDays(date, 1)) {
      found.push(beginOf(date, zone));
    }
  } else {
    for (let time = since; time < until; time += unit === "hour" ? hour : 60_000) found.push(time);
  }
  return found;
}

/** The beginning of the minute or hour in which a moment (milliseconds) lies, by the clocks of a zone. */
export function floorTo(unit, moment, zone) {
  const [, minutes, seconds] = wallClock(moment, zone).slice(11).split(":").map(Number);
  return Math.floor(moment / 1_000) * 1_000 - (seconds + (unit === "hour" ? minutes * 60 : 0)) * 1_000;
}

/** The API leaves out units in which nothing happened: they come back as `{time, counts}`, counts being null. */
export function filled(units, times) {
  const counts = new Map(units.map((each) => [Date.parse(each.starts_at), each]));
  return [...new Set([...times, ...counts.keys()])].sort((one, other) => one - other).map((time) => ({
    time,
    counts: counts.get(time) ?? null,
  }));
}
