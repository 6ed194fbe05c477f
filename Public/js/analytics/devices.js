// Devices that are new, active and retired, day by day in UTC.

import m from "../m.js";
import { day, number, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { LineChart } from "../ui/chart-lines.js";
import { beginnings, filled } from "./period.js";
import { timeTicks } from "./times.js";

const kinds = ["active", "new", "retired"];

/** {days, points, ticks} for `DevicesChart`, of an answer of the API. */
export function devicesOf({ days, begins_at: from, ends_at: ends }) {
  const points = filled(days, beginnings("day", Date.parse(`${from.slice(0, 10)}T00:00:00Z`), Date.parse(ends), "UTC"));
  return { days, points, ticks: timeTicks("day", points.map(({ time }) => time), "UTC") };
}

export const DevicesChart = {
  view: ({ attrs: { days, points, ticks } }) => {
    if (!days.length) return m("p.soft", t("analytics.noDevices"));
    const sum = (kind) => days.reduce((all, each) => all + each[kind], 0);
    const best = days.reduce((most, each) => (each.active > (most?.active ?? 0) ? each : most), null);
    const name = (time) => day(time, { timeZone: "UTC", weekday: true });
    const sentence = sentences([
      t("analytics.devicesText", { added: sum("new"), retired: sum("retired"), again: sum("registered_again") }),
      best && t("analytics.devicesMost", { count: best.active, day: name(best.starts_at) }),
    ]);
    const lines = kinds.map((kind) => ({ label: t(`analytics.device.${kind}`) }));
    return m(
      ChartFigure,
      {
        sentence,
        lines,
        table: {
          label: t("analytics.devices"),
          columns: [
            { id: "day", label: t("analytics.dayUTC"), wide: true, cell: ({ starts_at: at }) => name(at) },
            ...[...kinds, "registered_again"].map((kind) => ({
              id: kind,
              label: t(`analytics.device.${kind}`),
              number: true,
              cell: (each) => number(each[kind]),
            })),
          ],
          records: () => days.map((each) => ({ ...each, id: each.starts_at })),
        },
      },
      m(LineChart, {
        label: sentences([stopped(t("analytics.devices")), sentence]),
        lines,
        ticks,
        points: points.map(({ time, counts }) => ({
          get title() {
            return name(time);
          },
          values: kinds.map((kind) => counts?.[kind] ?? 0),
        })),
      }),
    );
  },
};
