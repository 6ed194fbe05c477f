// The time from the push until people open it, with the median.

import m from "../m.js";
import { amount, number, share, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { ColumnChart } from "../ui/chart-columns.js";
import { distribution, medianStep } from "./delays.js";

/** "10 min" from seconds; steps are whole numbers of their unit. */
function stepName(seconds, display = "short") {
  const [unit, size] =
    [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]].find(([, each]) => seconds >= each) ??
      ["second", 1];
  return amount(seconds / size, unit, { unitDisplay: display });
}

function rangeName({ from, to }) {
  return to === null
    ? t("analytics.longer", { from: stepName(from) })
    : t("analytics.fromTo", { from: stepName(from), to: stepName(to) });
}

/** `groups` of `by=delay`; `height` of the drawing in pixels. */
export const DelayChart = {
  view: ({ attrs: { groups, height } }) => {
    const bins = distribution(groups);
    if (!bins.length) return m("p.soft", t("analytics.noDelays"));
    const all = bins.reduce((sum, { count }) => sum + count, 0);
    const median = medianStep(bins);
    const sentence = t(median.to === null ? "analytics.medianLonger" : "analytics.median", {
      from: stepName(median.from, "long"),
      count: all,
      ...(median.to !== null && { to: stepName(median.to, "long") }),
    });
    let passed = 0;
    const records = bins.map((bin) => ({ ...bin, id: String(bin.from), passed: passed += bin.count }));
    return m(
      ChartFigure,
      {
        sentence,
        table: {
          label: t("analytics.delay"),
          columns: [{ id: "step", label: t("analytics.delayStep"), wide: true, cell: rangeName }, {
            id: "count",
            label: t("analytics.measure.opened"),
            number: true,
            cell: ({ count }) => number(count),
          }, {
            id: "share",
            label: t("analytics.share"),
            number: true,
            cell: ({ count }) => share(count, all),
          }, {
            id: "passed",
            label: t("analytics.untilThen"),
            number: true,
            cell: ({ passed: sum }) => share(sum, all),
          }],
          records: () => records,
        },
      },
      m(ColumnChart, {
        height,
        label: sentences([stopped(t("analytics.delay")), sentence]),
        measure: t("analytics.measure.opened"),
        columns: bins.map((bin) => ({ title: rangeName(bin), value: bin.count })),
        ticks: bins.map(({ from }, index) => ({ index, label: stepName(from, "narrow") })),
      }),
    );
  },
};
