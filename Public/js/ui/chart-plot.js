// The frame of a chart: axes, and a mark that is moved with the pointer or the arrow keys and says what is there.

import m from "../m.js";
import { shortNumber } from "../i18n.js";
import { clauses, labelled } from "../phrases.js";
import { thinned, ticksTo } from "./chart-scale.js";

/** Room around the drawing: above, below for the words of the axis, right. */
const above = 10, below = 26, right = 10;
/** Pixels between two words of the axis. */
const apart = 76;
/** Places that Page Up and Page Down pass. */
const leap = 10;

/**
 * `count` places from left to right, `most` the highest value, `ticks` [{index, label}] the words of the axis.
 * `draw({x, y, step})` returns the lines or bars: x(index) and y(value) are pixels, step is the width of a place.
 * `describe(index)` returns {title, rows: [{mark, label, value}]}. `band`: a place is as wide as a bar. `label` is what
 * the chart shows in one sentence.
 */
export function Plot() {
  let width = 0, place = null, observer;
  const edge = (ticks) => 12 + 7.5 * Math.max(...ticks.map((each) => shortNumber(each).length));

  function geometry({ count, most, height = 220, band }) {
    const scale = ticksTo(most);
    const left = edge(scale);
    const room = Math.max(1, width - left - right);
    const step = band ? room / Math.max(1, count) : room / Math.max(1, count - 1);
    const x = (index) => (band ? left + (index + 0.5) * step : count === 1 ? left + room / 2 : left + index * step);
    const y = (value) => above + (1 - value / scale.at(-1)) * (height - above - below);
    return {
      scale,
      left,
      step,
      x,
      y,
      height,
      nearest: (pixel) => Math.min(count - 1, Math.max(0, Math.round((pixel - left) / step - (band ? 0.5 : 0)))),
    };
  }

  function keys(event, { count }) {
    const from = place ?? count - 1;
    const next = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      Home: 0,
      End: count - 1,
      PageUp: from + leap,
      PageDown: from - leap,
    }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) {
      event.redraw = false;
      return;
    }
    event.preventDefault();
    place = Math.min(count - 1, Math.max(0, next));
  }

  function move(event, { nearest }) {
    const next = event.type === "pointerleave"
      ? null
      : nearest(event.clientX - event.currentTarget.getBoundingClientRect().left);
    event.redraw = next !== place;
    place = next;
  }

  const Tip = ({ title, rows }, x) =>
    m(
      "div.plot-tip",
      {
        "aria-hidden": "true",
        class: x > width / 2 ? "left" : "",
        style: x > width / 2 ? { right: `${width - x + 10}px`, left: "auto" } : { left: `${x + 10}px`, right: "auto" },
      },
      m("b", title),
      rows.map(({ mark, label, value }) => m("span.plot-row", mark, m("span", label), m("b", value))),
    );

  return {
    oncreate: ({ dom }) => {
      // Drawn before the first paint; the observer would answer after it.
      width = Math.round(dom.clientWidth);
      m.redraw();
      observer = new ResizeObserver(([{ contentRect }]) => {
        if (Math.round(contentRect.width) === width) return;
        width = Math.round(contentRect.width);
        m.redraw();
      });
      observer.observe(dom);
    },
    onremove: () => observer.disconnect(),
    view: ({ attrs }) => {
      const { count, label, ticks, draw, describe } = attrs;
      if (place !== null) place = Math.min(place, count - 1);
      const at = geometry(attrs);
      const shown = place ?? count - 1;
      const { title, rows } = describe(shown);
      const end = width - right;
      return m(
        "div.plot",
        {
          role: "slider",
          tabindex: 0,
          "aria-label": label,
          "aria-valuemin": 1,
          "aria-valuemax": count,
          "aria-valuenow": shown + 1,
          "aria-valuetext": labelled(title, clauses(rows.map((each) => `${each.label} ${each.value}`))),
          style: { height: `${at.height}px` },
          onkeydown: (event) => keys(event, attrs),
          onfocus: () => {
            place ??= count - 1;
          },
          onblur: () => {
            place = null;
          },
          onpointermove: (event) => move(event, at),
          onpointerdown: (event) => move(event, at),
          onpointerleave: (event) => move(event, at),
        },
        width > 0 &&
          m(
            "svg",
            { width, height: at.height, viewBox: `0 0 ${width} ${at.height}`, "aria-hidden": "true" },
            at.scale.map((value) =>
              m(
                "g",
                m("line", {
                  class: value ? "plot-grid" : "plot-axis",
                  x1: at.left,
                  x2: end,
                  y1: at.y(value),
                  y2: at.y(value),
                }),
                m("text.plot-value", { x: at.left - 8, y: at.y(value) + 4, "text-anchor": "end" }, shortNumber(value)),
              )
            ),
            thinned(ticks, at.step, apart).map(({ index, label: word }) =>
              m("text", {
                x: Math.min(Math.max(at.x(index), at.left + 12), end - 14),
                y: at.height - 6,
                "text-anchor": "middle",
              }, word)
            ),
            place !== null && m("line.plot-place", { x1: at.x(place), x2: at.x(place), y1: above, y2: at.y(0) }),
            draw(at, place),
          ),
        place !== null && width > 0 && Tip({ title, rows }, at.x(place)),
      );
    },
  };
}
