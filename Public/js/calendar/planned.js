// When scheduled campaigns begin, by the day. The next time is the server's; the later ones of a recurring campaign
// follow from its rule. Pure, without DOM.

import { isLocal } from "../campaigns/when.js";
import { parseRule, weekdayOf } from "../schedule/rule.js";
import { momentsOf, wallClock } from "../schedule/zones.js";
import { addDays, dayNumber, monthNumber, weekNumber } from "./dates.js";

/** The longest time from the first occurrence of a rule to a day that is asked for: ten years. */
const mostDays = 3_660;

/** The dates of a recurring schedule from `first` to `last`; none of a rule that `parseRule` can't read. */
export function datesOf({ rule, from }, first, last) {
  const blanks = parseRule(rule), start = from.slice(0, 10), found = [];
  if (!blanks || dayNumber(last) - dayNumber(start) > mostDays) return [];
  const isPlanned = {
    days: (date) => (dayNumber(date) - dayNumber(start)) % blanks.every === 0,
    weeks: (date) =>
      (weekNumber(date) - weekNumber(start)) % blanks.every === 0 &&
      (blanks.on.length ? blanks.on : [weekdayOf(start)]).includes(weekdayOf(date)),
    months: (date) =>
      (monthNumber(date) - monthNumber(start)) % blanks.every === 0 &&
      (blanks.on.length ? blanks.on : [Number(start.slice(8))]).includes(Number(date.slice(8))),
  }[blanks.unit];
  const end = blanks.until && blanks.until < last ? blanks.until : last;
  let count = 0;
  for (let date = start; date <= end && count < (blanks.count ?? Infinity); date = addDays(date, 1)) {
    if (!isPlanned(date)) continue;
    count += 1;
    if (date >= first) found.push(date);
  }
  return found;
}

/**
 * [{campaign, date, time, isLocal, isRepeat}] from `first` to `last`, in the order of their times. A local time is on
 * its own date; others are on the reader's clock, that of `zone`.
 */
export function plannedBetween(campaigns, first, last, zone) {
  return campaigns.filter((each) => each.next_at).flatMap((campaign) =>
    timesOf(campaign, first, last).map((time) => {
      const local = isLocal(time) ? time : wallClock(Date.parse(time), zone);
      return { campaign, date: local.slice(0, 10), time: local.slice(11, 16), isLocal: isLocal(time) };
    })
  ).filter(({ date }) => first <= date && date <= last).map((each) => ({
    ...each,
    isRepeat: each.campaign.schedule?.kind === "recurring",
  })).sort((one, other) => (one.date + one.time < other.date + other.time ? -1 : 1));
}

/** Times as the API writes them: local, or with a zone. What was skipped is before the next one. */
function timesOf({ schedule, next_at: next }, first, last) {
  if (schedule?.kind !== "recurring") return [next];
  const { from, time_zone: timeZone } = schedule;
  const begin = isLocal(next) ? next.slice(0, 10) : wallClock(Date.parse(next), timeZone).slice(0, 10);
  // Elsewhere it is the day before or after.
  const [early, late] = [addDays(first, -1), addDays(last, 1)];
  const later = datesOf(schedule, begin < early ? early : addDays(begin, 1), late).map((date) =>
    `${date}T${from.slice(11)}`
  );
  if (timeZone === "recipient") return [next, ...later];
  // A time that clocks jump over has no moment of its own: it is sent an hour later.
  const moment = (local) => momentsOf(local, timeZone)[0] ?? momentsOf(local.replace(/T../, hourLater), timeZone)[0];
  return [next, ...later.map(moment).filter(Boolean).map((each) => new Date(each).toISOString())];
}

const hourLater = (hour) => `T${String((Number(hour.slice(1)) + 1) % 24).padStart(2, "0")}`;
