// The verdict on an A/B test in words. Does not use the DOM or the network.

import { moment, number, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { scaleOf } from "./scale.js";

/** Fewer people in a variant, or fewer of them who reached the goal in two, are too few to say anything. */
const leastPeople = 100, leastReached = 20;
/** Of amounts: people with an amount in each variant. */
const leastBuyers = 50;

/** {variant, text} of a banner about the result of the API. Nobody has won before it is certain. */
export function verdictOf(result) {
  const { finding, variants, differences } = result;
  if (!result.counted_at) return { variant: "note", text: t("test.uncounted") };
  const leader = variants.find(({ variant }) => variant === result.leader);
  const goal = result.goal.metric, event = result.goal.event_name;
  const scale = scaleOf(result.goal), area = scale.isAmount ? "test.value" : "test";
  if (finding === "sample_ratio") {
    return {
      variant: "danger",
      text: t("test.sampleRatio", { people: each(variants, ({ people }) => number(people)) }),
    };
  }
  if (!leader || isEarly(result)) {
    return {
      variant: "note",
      text: t(`test.early.${goal}`, {
        event,
        reached: each(variants, ({ reached, people }) => t("test.of", { reached, people })),
        people: leastPeople,
        least: scale.isAmount ? leastBuyers : leastReached,
      }),
    };
  }
  // The other that is nearest to the leader: it decides what is known.
  const next = differences.toSorted((a, b) => a.difference - b.difference)[0];
  const other = variants.find(({ variant }) => variant === next.against);
  const values = {
    event,
    leader: leader.name,
    other: other.name,
    rate: scale.value(scale.of(leader)),
    otherRate: scale.value(scale.of(other)),
    points: scale.difference(next.difference),
    lower: next.interval && scale.difference(next.interval.lower),
    upper: next.interval && scale.difference(next.interval.upper),
    most: scale.difference(result.at_most ?? 0),
    people: number(Math.min(leader.people, other.people)),
    detectable: result.detectable_difference === null ? "–" : scale.difference(result.detectable_difference),
    time: result.decides_at && moment(result.decides_at),
  };
  switch (finding) {
    case "winner":
      return { variant: "good", text: t(`test.winner.${goal}`, values) };
    case "ahead_so_far":
      return { variant: "note", text: t(`test.ahead.${goal}`, values) };
    case "no_winner":
      return { variant: "note", text: t(`${area}.noWinner`, values) };
    case "no_difference_that_matters":
      return { variant: "note", text: t(`${area}.noDifference`, values) };
    default:
      return {
        variant: "note",
        text: t(`${area}.${next.difference > 0 ? "chance" : "even"}`, values),
      };
  }
}

function isEarly({ goal, variants, differences }) {
  const compared = variants.filter(({ people }) => people > 0);
  if (scaleOf(goal).isAmount && compared.some(({ reached }) => reached < leastBuyers)) return true;
  return compared.length < 2 || compared.some(({ people }) => people < leastPeople) ||
    differences.some(({ variant, against, interval }) =>
      interval === null ||
      sum(variants.filter((one) => one.variant === variant || one.variant === against)) < leastReached
    );
}

const sum = (variants) => variants.reduce((total, { reached }) => total + reached, 0);
const each = (variants, show) => enumeration(variants.map((one) => `${one.name} ${show(one)}`));
