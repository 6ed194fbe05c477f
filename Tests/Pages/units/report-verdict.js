const { amount, points, percent } = await import("/js/report/scale.js");
const { verdictOf } = await import("/js/report/verdict.js");
const { effectOf } = await import("/js/report/effect-words.js");
const { loadTexts } = await import("/js/i18n.js");
await loadTexts("test");

const variant = (place, people, reached) => ({
  variant: place,
  name: "ABC"[place],
  people,
  reached,
  rate: people ? reached / people : null,
});
const lead = (against, difference, lower, upper, beaten = false) => ({
  variant: 1,
  against,
  difference,
  interval: lower === null ? null : { lower, upper },
  beaten,
});
const result = (finding, more = {}) => ({
  goal: { metric: "engaged" },
  counted_at: "2026-11-24T12:00:00Z",
  decides_at: "2026-11-25T12:00:00Z",
  finding,
  at_most: null,
  leader: 1,
  detectable_difference: 0.0154,
  variants: [variant(0, 5000, 345), variant(1, 5000, 405)],
  differences: [lead(0, 0.012, 0.001176, 0.022847)],
  ...more,
});

return {
  "points have a digit behind the point, and are not 0 if they are not": () =>
    equal([0.0123, -0.0061, 0.0004, 0, 0.2].map(points), ["1.2", "−0.6", "0.04", "0", "20.0"]),
  "a rate that is not known is a dash": () => equal([percent(0.081), percent(null)], ["8.1%", "–"]),
  "a winner is named with both rates and the range": () =>
    equal(verdictOf(result("winner")), {
      variant: "good",
      text: "B engaged more people: 8.1% against 6.9%. The difference is almost certainly real: 0.1 to 2.3 points.",
    }),
  "the same numbers can still be chance before the end": () =>
    equal(
      verdictOf(result("not_yet", { differences: [lead(0, 0.012, -0.0069, 0.031)] })).text,
      "B is ahead of A by 1.2 points; it can still be chance (−0.7 to 3.1).",
    ),
  "too few people are too early, whatever their numbers are": () =>
    equal(
      verdictOf(result("not_yet", { variants: [variant(0, 90, 41), variant(1, 90, 38)] })).text,
      "Too early to compare. Engaged so far: A 41 of 90, B 38 of 90. " +
        "A comparison needs 100 people in each variant, and 20 who engaged in two of them.",
    ),
  "without a winner the page says what could not be seen": () =>
    equal(
      verdictOf(result("no_winner", { at_most: 0.0131, differences: [lead(0, 0.002, -0.009, 0.0131)] })).text,
      "No winner: a difference of 0.2 points can be chance. It is 1.3 points at most. " +
        "With 5,000 people in each variant, a difference under 1.5 points is missed more than one time in five.",
    ),
  "of several, the nearest to the leader is the one to compare with": () =>
    equal(
      verdictOf(
        result("not_yet", {
          variants: [variant(0, 5000, 345), variant(1, 5000, 405), variant(2, 5000, 390)],
          differences: [lead(0, 0.012, 0.0003, 0.0237, true), lead(2, 0.003, -0.009, 0.015)],
        }),
      ).text,
      "B is ahead of C by 0.3 points; it can still be chance (−0.9 to 1.5).",
    ),
  "people who are missing from a variant stop the verdict": () =>
    equal(verdictOf(result("sample_ratio")).variant, "danger"),
  "before the first count the page says that it comes": () =>
    equal(verdictOf(result("not_yet", { counted_at: null, variants: [], differences: [] })).variant, "note"),
  "a goal that is an event is named": () =>
    equal(
      verdictOf(result("ahead_so_far", { goal: { metric: "event", event_name: "purchase" } })).text,
      "More people of B had purchase so far: 8.1% against 6.9%. A can still follow.",
    ),
  "amounts have two decimals, and two digits if they are small": () =>
    equal([12.4, -0.0421, 0, 9500.4, null].map(amount), ["12.40", "−0.042", "0.00", "9,500", "–"]),
  "a goal of values is said in amounts per person": () => {
    const goal = { metric: "value", event_name: "purchase" };
    const variants = [{ ...variant(0, 5000, 345), mean: 0.42 }, { ...variant(1, 5000, 405), mean: 0.61 }];
    const differences = [lead(0, 0.19, 0.03, 0.35, true)];
    equal(
      [
        verdictOf(result("winner", { goal, variants, differences })).text,
        verdictOf(result("no_winner", { goal, variants, differences, at_most: 0.35, detectable_difference: 0.2 })).text,
        verdictOf(result("not_yet", { goal, variants: [variant(0, 5000, 49), variant(1, 5000, 90)], differences }))
          .text,
      ],
      [
        "B brought more purchase: 0.61 per person against 0.42. " +
        "The difference is almost certainly real: 0.03 to 0.35 per person.",
        "No winner: a difference of 0.19 per person can be chance. It is 0.35 at most. With 5,000 people in each " +
        "variant, a difference under 0.2 is missed more than one time in five.",
        "Too early to compare. With purchase so far: A 49 of 5,000, B 90 of 5,000. " +
        "A comparison of amounts needs 100 people in each variant, and 50 with the event in each.",
      ],
    );
  },
  "an effect on values is an amount": () =>
    equal(
      effectOf({
        goal: { metric: "value", event_name: "purchase" },
        counted_at: "2026-11-24T12:00:00Z",
        finding: "caused",
        treated: { people: 95000, rate: 0.01, mean: 0.4 },
        control: { people: 5000, rate: 0.01, mean: 0.3 },
        interval: { lower: 0.05, upper: 0.15 },
        caused: 9500,
        caused_interval: { lower: 4750, upper: 14250 },
        detectable_difference: 0.08,
      }).text,
      "The campaign has caused about 9,500 more purchase (between 4,750 and 14,250): 0.4 per person, and 0.3 " +
        "without it.",
    ),
};
