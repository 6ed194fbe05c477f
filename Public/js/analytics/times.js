// Names moments of a series, in the zone in which its units begin.

import { clock, day } from "../i18n.js";
import { wallClock } from "../schedule/zones.js";

/** "Tue 24 Nov", "24 Nov 21:00", or "21:04". */
export function unitName(unit, time, timeZone) {
  if (unit === "day") return day(time, { weekday: true, timeZone });
  return unit === "hour" ? `${day(time, { timeZone })} ${clock(time, { timeZone })}` : clock(time, { timeZone });
}

/** Words for the axis of a series, [{index, label}]: midnights if there are several, otherwise clock times. */
export function timeTicks(unit, times, timeZone) {
  const all = times.map((time, index) => ({ index, time }));
  if (unit === "day") return all.map(({ index, time }) => ({ index, label: day(time, { timeZone, year: false }) }));
  const minutes = times.length > 1 ? (times[1] - times[0]) / 60_000 : 60;
  const midnights = all.filter(({ time }) => wallClock(time, timeZone).slice(11) === "00:00:00");
  if (midnights.length > 2) return midnights.map(({ index, time }) => ({ index, label: day(time, { timeZone, year: false }) }));
  const every = minutes >= 60 ? 3 : 10;
  return all.filter(({ index }) => index % every === 0).map(({ index, time }) => ({ index, label: clock(time, { timeZone }) }));
}
