// Devices that are new, active and retired, day by day in UTC.

import m from "../m.js";
import { t, day, language, number } from "../i18n.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { LineChart } from "../ui/chart-lines.js";
import { beginnings, filled } from "./period.js";
import { timeTicks } from "./times.js";

const kinds = ["active", "new", "retired"];

/** `days` of the API, from the date `from` until now or the end of the period. */
export const DevicesChart = {
  view: ({ attrs: { days, from, ends } }) => {
    if (!days.length) return m("p.soft", t("analytics.noDevices"));
    const points = filled(days, beginnings("day", Date.parse(`${from}T00:00:00Z`), Date.parse(ends), "UTC"));
    const sum = (kind) => days.reduce((all, each) => all + each[kind], 0);
    const best = days.reduce((most, each) => (each.active > (most?.active ?? 0) ? each : most), null);
    const name = (time) => day(time, { timeZone: "UTC", weekday: true });
    const sentence = [t("analytics.devicesText", { added: sum("new"), retired: sum("retired"), again: sum("registered_again") }), best && t("analytics.devicesMost", { count: best.active, day: name(best.starts_at) })].filter(Boolean).join(language === "zh" ? "" : " ");
    const lines = kinds.map((kind) => ({ label: t(`analytics.device.${kind}`) }));
    return m(ChartFigure, {
      sentence, lines, table: {
        label: t("analytics.devices"),
        columns: [{ id: "day", label: t("analytics.dayUTC"), wide: true, cell: ({ starts_at: at }) => name(at) }, ...[...kinds, "registered_again"].map((kind) => ({ id: kind, label: t(`analytics.device.${kind}`), number: true, cell: (each) => number(each[kind]) }))],
        records: () => days.map((each) => ({ ...each, id: each.starts_at })),
      },
    }, m(LineChart, { label: `${t("analytics.devices")}. ${sentence}`, lines, ticks: timeTicks("day", points.map(({ time }) => time), "UTC"), points: points.map(({ time, counts }) => ({ title: name(time), values: kinds.map((kind) => counts?.[kind] ?? 0) })) }));
  },
};
