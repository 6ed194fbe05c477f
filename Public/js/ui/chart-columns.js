// Columns from zero, one for each place.

import m from "../m.js";
import { number } from "../i18n.js";
import { Plot } from "./chart-plot.js";

/** Pixels of the widest column. */
const widest = 48;

/** `columns` are {title, value}; `measure` names the values; `ticks` and `label` as of `Plot`. */
export const ColumnChart = {
  view: ({ attrs: { columns, measure, ticks, label, height = 180 } }) =>
    m(Plot, {
      band: true,
      count: columns.length,
      most: Math.max(0, ...columns.map(({ value }) => value)),
      ticks,
      label,
      height,
      describe: (index) => ({
        title: columns[index].title,
        rows: [{ mark: null, label: measure, value: number(columns[index].value) }],
      }),
      draw: ({ x, y, step }, place) => {
        const width = Math.max(1, Math.min(widest, step * 0.72));
        return columns.map(({ value }, index) =>
          m("rect.plot-column", {
            key: index,
            class: index === place ? "here" : "",
            x: x(index) - width / 2,
            y: value ? Math.min(y(value), y(0) - 1.5) : y(0),
            width,
            height: value ? Math.max(1.5, y(0) - y(value)) : 0,
            rx: Math.min(3, width / 4),
          })
        );
      },
    }),
};
