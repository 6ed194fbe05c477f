// Up to four lines over time, told apart by colour, dashes and markers.

import m from "../m.js";
import { number } from "../i18n.js";
import { Plot } from "./chart-plot.js";

const dashes = ["none", "7 4", "2 3", "9 3 2 3"];
/** Markers of a line, at most. None is on the ground line. */
const markers = 48;

/** A marker of line 0 to 3 around a point: circle, square, triangle, diamond. */
function Marker(line, x, y) {
  const shape = [
    () => m("circle", { cx: x, cy: y, r: 3.5 }),
    () => m("rect", { x: x - 3.25, y: y - 3.25, width: 6.5, height: 6.5 }),
    () => m("path", { d: `M${x} ${y - 4.5}l4.5 8h-9z` }),
    () => m("path", { d: `M${x} ${y - 5}l5 5-5 5-5-5z` }),
  ][line];
  return m("g.plot-marker", { "data-line": line }, shape());
}

/** A short piece of a line, for legends. */
export const LineMark = {
  view: ({ attrs: { line } }) =>
    m(
      "svg.line-mark",
      { width: 28, height: 12, viewBox: "0 0 28 12", "aria-hidden": "true" },
      m("path.plot-line", { "data-line": line, "stroke-dasharray": dashes[line], d: "M0 6h28" }),
      Marker(line, 14, 6),
    ),
};

/** `points` are {title, values}, `lines` {label}: values[i] belongs to lines[i]. `ticks` and `label` as of `Plot`. */
export const LineChart = {
  view: ({ attrs: { points, lines, ticks, label, height } }) =>
    m(Plot, {
      count: points.length,
      most: Math.max(0, ...points.flatMap(({ values }) => values)),
      ticks,
      label,
      height,
      describe: (index) => ({
        title: points[index].title,
        rows: lines.map((each, line) => ({
          mark: m(LineMark, { line }),
          label: each.label,
          value: number(points[index].values[line]),
        })),
      }),
      // The first line is the reader's first choice, and lies on top.
      draw: ({ x, y }, place) =>
        lines.map((_, line) => {
          const risen = points.flatMap(({ values }, index) => (values[line] > 0 ? [index] : []));
          const every = Math.ceil(risen.length / markers) || 1;
          const marked = new Set(points.length === 1 ? [0] : risen.filter((_each, position) => position % every === 0));
          if (place !== null) marked.add(place);
          return m(
            "g",
            { key: line },
            m("path.plot-line", {
              "data-line": line,
              "stroke-dasharray": dashes[line],
              d: points.map(({ values }, index) =>
                `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(values[line]).toFixed(1)}`
              ).join(""),
            }),
            [...marked].map((index) => Marker(line, x(index), y(points[index].values[line]))),
          );
        }).reverse(),
    }),
};
