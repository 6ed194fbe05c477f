// At which hours of their own clocks devices get a push at their best time.

import m from "../m.js";
import { loadTexts, number, share, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { ColumnChart } from "../ui/chart-columns.js";
import { clockOf } from "./best-window.js";

await loadTexts("best-time");

const name = ({ hour }) => t("bestTime.at", { from: clockOf(hour), to: clockOf(hour + 1) });

/** `best` of a forecast. */
export default {
  view: ({ attrs: { best: { hours, usual_hour: usual, personal } } }) => {
    const all = hours.reduce((sum, { devices }) => sum + devices, 0);
    const hour = clockOf(usual);
    const sentence = personal === 0
      ? t("bestTime.nobody", { hour })
      : sentences([t("bestTime.personal", { count: personal }), t("bestTime.others", { count: all - personal, hour })]);
    return m(
      ChartFigure,
      {
        sentence,
        table: {
          label: t("bestTime.hours"),
          columns: [
            { id: "hour", label: t("bestTime.hour"), wide: true, cell: name },
            { id: "devices", label: t("bestTime.devices"), number: true, cell: ({ devices }) => number(devices) },
            { id: "share", label: t("bestTime.share"), number: true, cell: ({ devices }) => share(devices, all) },
          ],
          records: () => hours.map((each) => ({ ...each, id: String(each.hour) })),
        },
      },
      m(ColumnChart, {
        label: sentences([stopped(t("bestTime.hours")), sentence]),
        measure: t("bestTime.devices"),
        columns: hours.map((each) => ({ title: name(each), value: each.devices })),
        ticks: hours.map((each, index) => ({ index, label: clockOf(each.hour) })).filter(({ index }) =>
          index % 3 === 0
        ),
      }),
    );
  },
};
