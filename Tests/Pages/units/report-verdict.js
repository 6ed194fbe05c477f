const { points, percent, verdictOf } = await import("/js/report/verdict.js");
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
};
