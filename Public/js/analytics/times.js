// Names moments of a series, in the zone in which its units begin.

import { clock, day } from "../i18n.js";
import { wallClock } from "../schedule/zones.js";

/** "Tue 24 Nov", "24 Nov 21:00", or "21:04". */
export function unitName(unit, time, timeZone) {
  if (unit === "day") return day(time, { weekday: true, timeZone });
  return unit === "hour" ? `${day(time, { timeZone })} ${clock(time, { timeZone })}` : clock(time, { timeZone });
}

/**
 * Words for the axis of a series, [{index, label}]: midnights if there are several, otherwise clock times. Formatting
 * is slow, so a label is made when it is drawn.
 */
export function timeTicks(unit, times, timeZone) {
  const all = times.map((time, index) => ({ index, time }));
  const named = (entries, name) =>
    entries.map(({ index, time }) => ({
      index,
      get label() {
        return name(time);
      },
    }));
  const dayName = (time) => day(time, { timeZone, year: false });
  if (unit === "day") return named(all, dayName);
  const minutes = times.length > 1 ? (times[1] - times[0]) / 60_000 : 60;
  const midnights = all.filter(({ time }) => wallClock(time, timeZone).slice(11) === "00:00:00");
  if (midnights.length > 2) return named(midnights, dayName);
  const every = minutes >= 60 ? 3 : 10;
  return named(all.filter(({ index }) => index % every === 0), (time) => clock(time, { timeZone }));
}
