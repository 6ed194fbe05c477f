// The goal of an A/B test, and the smallest difference that its audience can show.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { amount, percent, points } from "../report/scale.js";

/** `test` of a forecast. */
export const TestPlan = {
  view: ({ attrs: { test } }) => m("div.test-plan", m("p", goalWords(test.goal)), m("p", showsWords(test))),
};

const goalWords = ({ metric, event_name: event }) =>
  t("review.testGoal", {
    goal: event
      ? t(`review.${metric === "value" ? "testValue" : "testEvent"}`, { event })
      : t(`variants.goals.${metric}`),
  });

/** Ends with the rate that is assumed, in a softer tone: nobody knows it before. */
function showsWords(test) {
  const { goal, detectable_difference: detectable, rate, rate_is_usual: isUsual, variants, repeats } = test;
  if (repeats) return t("review.testRepeats");
  const sizes = variants.map(({ people }) => people).sort((a, b) => a - b);
  const isEqual = sizes.at(-1) - sizes[0] <= 1;
  const people = t(isEqual ? "review.testEach" : "review.testSmallest", { people: number(sizes[0]) });
  if (goal.metric === "value") return showsAmount(test, people);
  if (detectable === null) return t("review.testNone", { people });
  return [
    t("review.testShows", { people, points: points(detectable) }),
    m("span.soft", " ", t(isUsual ? "review.testUsual" : "review.testRate", { rate: percent(rate) })),
  ];
}

function showsAmount({ detectable_difference: detectable, amount: expected }, people) {
  if (expected === null) return t("review.testUnknown", { people });
  if (detectable === null) return t("review.testNone", { people });
  return [
    t("review.testShowsAmount", { people, amount: amount(detectable) }),
    m("span.soft", " ", t("review.testAmount", { amount: amount(expected) })),
  ];
}
