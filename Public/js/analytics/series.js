// A time series of up to four measures, drawn as lines.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { LineChart } from "../ui/chart-lines.js";
import { isNothing, measureName, measures, mostLines, valueOf } from "./measures.js";
import { beginnings, filled } from "./period.js";
import { timeTicks, unitName } from "./times.js";

/** Chips that choose the measures to draw. `onchange(measures)`; at least one stays, and at most four. */
export const MeasureChips = {
  view: ({ attrs: { value, options = measures, onchange } }) => {
    const isFull = value.length >= mostLines;
    return m(
      "div.stack.measures",
      m(
        "div.chips",
        { role: "group", "aria-label": t("analytics.measures") },
        options.map((each) => {
          const isOn = value.includes(each);
          const isOff = isOn ? value.length === 1 : isFull;
          return m("button.chip", {
            key: each,
            type: "button",
            "aria-pressed": isOn ? "true" : "false",
            "aria-disabled": isOff ? "true" : undefined,
            "aria-describedby": isFull ? "measures-full" : undefined,
            onclick: () =>
              isOff || onchange(
                isOn ? value.filter((one) => one !== each) : [...value, each],
              ),
          }, measureName(each));
        }),
      ),
      isFull && m("p.meta#measures-full", t("analytics.fullLines", { count: mostLines })),
    );
  },
};

/** One sentence for each line: how much it is in all, and when it is most. */
function describe(points, shown, name) {
  return sentences(shown.map((measure) => {
    const values = points.map(({ counts }) => valueOf(counts, measure));
    const most = Math.max(0, ...values);
    const count = values.reduce((sum, each) => sum + each, 0);
    return count
      ? t("analytics.lineText", {
        name: measureName(measure),
        count,
        most,
        time: name(points[values.indexOf(most)].time),
      })
      : t("analytics.lineNone", { name: measureName(measure) });
  }));
}

/**
 * {points, ticks, unit, zone} for `SeriesChart`, of an answer of the API from one moment to another. It is slow for
 * many units, so it is called once for an answer.
 */
export function seriesOf({ unit, units }, since, until, zone) {
  const points = filled(units, beginnings(unit, since, until, zone));
  return { points, ticks: timeTicks(unit, points.map(({ time }) => time), zone), unit, zone };
}

/** The members that `seriesOf` returns, and `shown`, the measures. */
export const SeriesChart = {
  view: ({ attrs: { points, ticks, shown, unit, zone, title } }) => {
    const name = (time) => unitName(unit, time, zone);
    const sentence = describe(points, shown, name);
    const lines = shown.map((measure) => ({ label: measureName(measure) }));
    return m(
      ChartFigure,
      {
        sentence,
        lines,
        table: {
          label: title,
          columns: [
            { id: "time", label: t(`analytics.units.${unit}`), wide: true, cell: ({ time }) => name(time) },
            ...shown.map((measure) => ({
              id: measure,
              label: measureName(measure),
              number: true,
              cell: ({ counts }) => number(valueOf(counts, measure)),
            })),
          ],
          records: () =>
            points.filter(({ counts }) => counts && !isNothing(counts)).map((each) => ({
              ...each,
              id: String(each.time),
            })),
        },
      },
      m(LineChart, {
        label: sentences([stopped(title), sentence]),
        lines,
        ticks,
        points: points.map(({ time, counts }) => ({
          get title() {
            return name(time);
          },
          values: shown.map((measure) => valueOf(counts, measure)),
        })),
      }),
    );
  },
};
