// Draws the devices of a forecast as bars over time in the reader's zone, with a table below.

import m from "../m.js";
import { city, clock, day, moment, number, t, zone } from "../i18n.js";
import { labelled, list } from "../phrases.js";
import { zonesAt } from "./zones.js";

const width = 720, height = 150, base = 118;
const hour = 3_600_000;

/** The slots of a forecast with the cities where it is the planned local time then: [{from, to, count, cities}]. */
export function slots({ timeline, occurrence, best_time: best }, zones) {
  // At best times, each city is in many slots.
  const isLocal = occurrence && !/Z$/.test(occurrence) && !best;
  return timeline.map(({ from, to, count }) => {
    const cities = isLocal ? [...new Set(zonesAt(Date.parse(from), occurrence, zones).map((each) => city(each)))] : [];
    return { from: Date.parse(from), to: Date.parse(to), count, cities };
  });
}

export const Timeline = {
  view: ({ attrs: { forecast, zones } }) => {
    const all = slots(forecast, zones);
    if (!all.length) return m("p.soft", t("schedule.nobody"));
    // One time is said in the sentence above.
    return all.length > 1 && m("figure.timeline", chart(all), details(all));
  },
};

function chart(all) {
  const first = Math.floor(all[0].from / hour) * hour;
  const end = Math.max(Math.ceil(all.at(-1).to / hour) * hour, first + hour);
  const most = Math.max(...all.map(({ count }) => count));
  const x = (time) => 8 + ((time - first) / (end - first)) * (width - 16);
  const hours = (end - first) / hour;
  const step = [1, 2, 3, 6, 12, 24, 48, 168].find((each) => hours / each <= 9) ?? 336;
  const ticks = Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) => first + index * step * hour);
  const label = t("schedule.chart", { count: all.length, first: moment(all[0].from), last: moment(all.at(-1).to) });
  let lastLabel = -Infinity;
  return m(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    m("line.axis", { x1: 8, x2: width - 8, y1: base, y2: base }),
    ticks.map((time) =>
      m(
        "g.tick",
        m("line.axis", { x1: x(time), x2: x(time), y1: base, y2: base + 4 }),
        m(
          "text.tick-label",
          { x: Math.min(Math.max(x(time), 22), width - 24), y: base + 20, "text-anchor": "middle" },
          step >= 24 ? day(time) : clock(time),
        ),
      )
    ),
    all.map(({ from, to, count, cities }) => {
      const size = Math.max(2, (count / most) * (base - 30));
      const left = x(from);
      const isNamed = cities.length > 0 && left - lastLabel > 84;
      if (isNamed) lastLabel = left;
      return m(
        "g",
        m(
          "rect.slot",
          { x: left, y: base - size, width: Math.max(6, x(to) - left), height: size, rx: 2 },
          m("title", labelled(moment(from), number(count))),
        ),
        isNamed && m("text.city", { x: Math.min(left, width - 60), y: 14 }, cities[0]),
      );
    }),
  );
}

function details(all) {
  const hasCities = all.some(({ cities }) => cities.length);
  return m(
    "details",
    m("summary", t("schedule.table", { zone: city(zone) })),
    m(
      "div.table-scroll",
      m(
        "table.table",
        { "aria-label": t("schedule.table", { zone: city(zone) }) },
        m(
          "thead",
          m(
            "tr",
            m("th", { scope: "col" }, t("schedule.from")),
            m("th", { scope: "col" }, t("schedule.to")),
            m("th.number", { scope: "col" }, t("schedule.devices")),
            hasCities && m("th.wide", { scope: "col" }, t("schedule.where")),
          ),
        ),
        m(
          "tbody",
          all.map(({ from, to, count, cities }) =>
            m(
              "tr",
              { key: from },
              m("td", moment(from)),
              m("td", moment(to, { seconds: to - from < 60_000 })),
              m("td.number", number(count)),
              hasCities && m("td.wide", cities.length ? list(cities.slice(0, 6)) : "–"),
            )
          ),
        ),
      ),
    ),
  );
}
