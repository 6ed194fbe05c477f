// The next times of a schedule, with a word on the days on which clocks change over them.

import m from "../m.js";
import { city, dayAndClock, moment, t, zone } from "../i18n.js";
import { list } from "../phrases.js";
import { known } from "../audience/values.js";
import { Icon } from "../ui/icon.js";
import { occurrenceWords } from "./words.js";
import { clockChanges, wallClock } from "./zones.js";

/** The most places that are named. */
const most = 4;

/** Clock changes over a local time like 2027-03-28T02:30:00 in these zones, as sentences. */
export function clockWords(local, zones) {
  return clockChanges(local, zones).map(({ kind, shown, zones: changing }) => {
    const cities = [...new Set(changing.map((each) => city(each)))];
    const places = cities.length > most
      ? [...cities.slice(0, most - 1), t("schedule.morePlaces", { count: cities.length - most + 1 })]
      : cities;
    return t(`schedule.clocks.${kind}`, { zones: list(places), time: local.slice(11, 16), shown });
  });
}

/** The zones of the people who are known, and the reader's. */
export const peoplesZones = () => [...new Set([zone, ...known().zones])];

/** `occurrences` of a forecast of this recurring `schedule`: moments, or local times for everybody's own zone. */
export const NextTimes = {
  view: ({ attrs: { occurrences, schedule } }) => {
    const isTheirs = schedule.time_zone === "recipient";
    return m(
      "ol.next-times",
      occurrences.map((each) => {
        const local = isTheirs ? each : plannedTime(each, schedule);
        const words = clockWords(local, isTheirs ? peoplesZones() : [schedule.time_zone]);
        return m(
          "li",
          { key: each },
          isTheirs ? occurrenceWords(each) : zoned(each, schedule.time_zone),
          words.map((text) => m("span.clock-change", m(Icon, { name: "clock" }), text)),
        );
      }),
    );
  },
};

/** The local time for which an occurrence was planned: on the day of its moment, at the time of the rule. */
function plannedTime(occurrence, { from, time_zone: timeZone }) {
  return wallClock(Date.parse(occurrence), timeZone).slice(0, 11) + from.slice(11);
}

/** A moment on the clock of the schedule, and on the reader's if that shows something else. */
function zoned(occurrence, timeZone) {
  const time = Date.parse(occurrence);
  const [there, here] = [wallClock(time, timeZone), wallClock(time, zone)];
  const own = there.slice(0, 10) === here.slice(0, 10) ? `${here.slice(11, 16)} ${city()}` : moment(time);
  return [
    `${dayAndClock(time, { timeZone })} ${city(timeZone)}`,
    there !== here && m("span.soft", ` (${own})`),
  ];
}
