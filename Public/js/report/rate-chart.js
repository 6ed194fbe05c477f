// The rate over the time in which this page looked on, as a line from zero, with a sentence and a table.

import m from "../m.js";
import { city, clock, number, shortNumber, t } from "../i18n.js";
import { recentRate } from "../campaigns/run.js";

const width = 640, height = 96;
/** Rows of the table. */
const rows = 12;

/** `samples` are [{time, rate}], oldest first. Without `isSending`, nothing is sent now. */
export const RateChart = {
  view: ({ attrs: { samples: measured, isSending } }) => {
    // A slow run has seconds with none between those with one: the line shows what the figure above it says.
    const samples = measured.map(({ time }, index) => ({ time, rate: recentRate(measured.slice(0, index + 1)) }));
    if (samples.length < 2) return m("p.soft", t("report.chartWaiting"));
    const [from, to] = [samples[0].time, samples[samples.length - 1].time];
    const most = Math.max(1, ...samples.map(({ rate }) => rate));
    const at = ({ time, rate }) =>
      `${(((time - from) / Math.max(1, to - from)) * width).toFixed(1)},${
        (height - (rate / most) * (height - 4)).toFixed(1)
      }`;
    const line = samples.map(at).join(" ");
    const sentence = t("report.chartText", { now: isSending ? samples[samples.length - 1].rate : 0, most });
    const step = Math.max(1, Math.ceil(samples.length / rows));
    return [
      m(
        "div.rate-chart",
        m("span.meta.rate-most", shortNumber(most)),
        m("span.meta.rate-zero", "0"),
        m(
          "svg",
          { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": sentence },
          m("polygon", { points: `0,${height} ${line} ${width},${height}` }),
          m("polyline", { points: line }),
        ),
      ),
      m("p.meta", m("span", `${clock(from, { seconds: true })} – ${clock(to, { seconds: true })} ${city()}`)),
      m("p", sentence),
      m(
        "details",
        m("summary.meta", t("report.table")),
        m(
          "table.table.plain",
          m("thead", m("tr", m("th", t("report.time")), m("th.number", t("report.chart")))),
          m(
            "tbody",
            samples.filter((_, index) => index % step === 0).map(({ time, rate }) =>
              m("tr", m("td", clock(time, { seconds: true })), m("td.number", number(rate)))
            ),
          ),
        ),
      ),
    ];
  },
};
