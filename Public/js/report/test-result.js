// The result of an A/B test: the verdict, the differences with their ranges, and the numbers behind them.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { api } from "../api.js";
import { sentences } from "../phrases.js";
import { inApp } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Table } from "../ui/table.js";
import { followCounted } from "./counted.js";
import { Rest } from "./rest.js";
import { percent, points, verdictOf } from "./verdict.js";

/** `campaign` with variants. Draws nothing before the first answer. */
export function TestResult({ attrs: { campaign } }) {
  const path = inApp(`/campaigns/${campaign.id}/test`);
  const followed = followCounted(path, ({ final: isFinal, rest }) => isFinal && isDecided(rest));
  const decide = async (variant) => {
    followed.result = await api.post(`${path}/decision`, { variant });
    m.redraw();
  };
  return {
    onremove: followed.end,
    view() {
      const { result, hasFailed } = followed;
      if (!result) return hasFailed ? m(Banner, { variant: "warn" }, t("test.failed")) : null;
      const { variant, text } = verdictOf(result);
      return m(
        "section.sheet.stack.test-result",
        m("h2", t("test.title")),
        m(Banner, { variant, role: "status" }, text),
        m(Rest, { result, names: campaign.variants.map(({ name }) => name), decide }),
        result.differences.length > 0 && result.counted_at && m(Ranges, { result }),
        result.counted_at && m(Rates, { result }),
        m(
          "p.soft",
          sentences([
            whenText(result),
            result.mixed_people > 0 && t("test.mixed", { count: result.mixed_people }),
          ]),
        ),
      );
    },
  };
}

/** Whether nobody waits for a decision. */
function isDecided(rest) {
  return !rest || !["waiting", "asked"].includes(rest.state);
}

function whenText({ final: isFinal, decides_at: at, counted_at: counted }) {
  if (!counted) return "";
  if (isFinal) return t("test.final", { time: moment(counted) });
  return at ? t("test.decides", { time: moment(at) }) : t("test.counted", { time: moment(counted) });
}

/** A row for each of the others: how far the leader is ahead of it, with the range. */
const Ranges = {
  view: ({ attrs: { result: { variants, differences } } }) => {
    const name = (place) => variants.find(({ variant }) => variant === place)?.name;
    const ends = differences.flatMap(({ difference, interval }) => [0, difference, interval?.lower, interval?.upper])
      .filter((end) => end !== null && end !== undefined);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const width = (high - low) || 1;
    const at = (value) => `${((value - low) / width) * 100}%`;
    return m(
      "div.ranges",
      { role: "img", "aria-label": t("test.chart") },
      m("span.meta", { "aria-hidden": "true" }, t("test.chart")),
      differences.map(({ variant, against, difference, interval, beaten }) =>
        m(
          "div.range",
          { key: against },
          m("span.range-name", { dir: "auto" }, t("test.against", { leader: name(variant), other: name(against) })),
          m(
            "span.number",
            m("b", t("test.points", { points: points(difference) })),
            interval && m(
              "span.soft",
              " ",
              t("test.range", { lower: points(interval.lower), upper: points(interval.upper) }),
            ),
          ),
          m(
            "div.range-line",
            m("i.range-zero", { style: { left: at(0) } }),
            interval &&
              m("i.range-bar", {
                class: beaten ? "certain" : "",
                style: { left: at(interval.lower), right: `calc(100% - ${at(interval.upper)})` },
              }),
            m("i.range-point", { style: { left: at(difference) } }),
          ),
        )
      ),
    );
  },
};

const Rates = {
  view: ({ attrs: { result } }) =>
    m(Table, {
      label: t("test.title"),
      records: result.variants.map((each) => ({ ...each, id: each.variant })),
      columns: [
        { id: "name", label: t("variants.variant"), wide: true, cell: ({ name }) => m("b", { dir: "auto" }, name) },
        { id: "people", label: t("test.people"), number: true, cell: ({ people }) => number(people) },
        {
          id: "reached",
          label: t(`test.reached.${result.goal.metric}`, { event: result.goal.event_name }),
          number: true,
          cell: ({ reached }) => number(reached),
        },
        { id: "rate", label: t("test.rate"), number: true, cell: ({ rate }) => percent(rate) },
        {
          id: "interval",
          label: t("test.interval"),
          number: true,
          cell: ({ interval }) =>
            interval ? t("test.range", { lower: percent(interval.lower), upper: percent(interval.upper) }) : "–",
        },
      ],
    }),
};
