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
import { amount, percent, scaleOf } from "./scale.js";
import { groupName } from "./time-groups.js";
import { verdictOf } from "./verdict.js";

/** `campaign` with variants, or at each person's best time. Draws nothing before the first answer. */
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
      const { hasFailed } = followed;
      const result = named(followed.result);
      if (!result) return hasFailed ? m(Banner, { variant: "warn" }, t("test.failed")) : null;
      const { variant, text } = verdictOf(result);
      return m(
        "section.sheet.stack.test-result",
        m("h2", t(comparesTimes(result) ? "test.times.title" : "test.title")),
        comparesTimes(result) && m("p.soft", t("test.times.about")),
        m(Banner, { variant, role: "status" }, text),
        campaign.variants && m(Rest, { result, names: campaign.variants.map(({ name }) => name), decide }),
        result.differences.length > 0 && result.counted_at && m(Ranges, { result }),
        result.counted_at && m(Rates, { result }),
        m(Cap, { result, sides: result.variants }),
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

const comparesTimes = ({ compares }) => compares === "times";

/** With the names of groups in the reader's language. */
function named(result) {
  if (!result || !comparesTimes(result)) return result;
  return { ...result, variants: result.variants.map((each) => ({ ...each, name: groupName(each.variant) })) };
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
  view: ({ attrs: { result: { goal, variants, differences } } }) => {
    const scale = scaleOf(goal);
    const name = (place) => variants.find(({ variant }) => variant === place)?.name;
    const ends = differences.flatMap(({ difference, interval }) => [0, difference, interval?.lower, interval?.upper])
      .filter((end) => end !== null && end !== undefined);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const width = (high - low) || 1;
    const at = (value) => `${((value - low) / width) * 100}%`;
    const title = t(scale.isAmount ? "test.value.chart" : "test.chart");
    return m(
      "div.ranges",
      { role: "img", "aria-label": title },
      m("span.meta", { "aria-hidden": "true" }, title),
      differences.map(({ variant, against, difference, interval, beaten }) =>
        m(
          "div.range",
          { key: against },
          m("span.range-name", { dir: "auto" }, t("test.against", { leader: name(variant), other: name(against) })),
          m(
            "span.number",
            m("b", scale.withUnit(difference)),
            interval && m(
              "span.soft",
              " ",
              t("test.range", { lower: scale.difference(interval.lower), upper: scale.difference(interval.upper) }),
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
        ...numberColumns(result.goal, ({ reached }) => reached),
      ],
    }),
};

/** The columns of people, those who reached the goal, and their rate or amount with its range. */
export function numberColumns(goal, reached) {
  const scale = scaleOf(goal);
  return [
    { id: "people", label: t("test.people"), number: true, cell: ({ people }) => number(people) },
    {
      id: "reached",
      label: t(`test.reached.${goal.metric}`, { event: goal.event_name }),
      number: true,
      cell: (each) => number(reached(each)),
    },
    { id: "rate", label: t("test.rate"), number: true, cell: ({ rate }) => percent(rate) },
    scale.isAmount && { id: "mean", label: t("test.value.mean"), number: true, cell: ({ mean }) => amount(mean) },
    {
      id: "interval",
      label: t("test.interval"),
      number: true,
      cell: ({ interval }) =>
        interval ? t("test.range", { lower: scale.value(interval.lower), upper: scale.value(interval.upper) }) : "–",
    },
  ].filter(Boolean);
}

/** With a goal of values: from which amount on all count alike. `sides` have the people. */
export const Cap = {
  view: ({ attrs: { result: { value_cap: cap }, sides } }) => {
    const people = sides.reduce((sum, side) => sum + (side.amount?.capped_people ?? 0), 0);
    return cap !== null && people > 0 &&
      m("p.soft", t("test.value.cap", { cap: amount(cap), count: people }));
  },
};
