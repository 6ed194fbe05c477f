const { countOf, countWords } = await import("/js/schedule/count-of.js");
const estimate = (sent, margin) => countWords(countOf({ sent, is_exact: false, margin_of_error: margin }));

return {
  "an exact number is shown as it is": () =>
    equal(countWords(countOf({ sent: 167768, is_exact: true, margin_of_error: null })), "167,768"),
  "an estimate is rounded to what its margin allows, and says it": () =>
    equal([estimate(167768, 873), estimate(1234, 3), estimate(98760, 101)], [
      "about 168,000 (±900)",
      "about 1,234 (±3)",
      "about 98,800 (±200)",
    ]),
  "without a margin it is about": () => equal(estimate(58, null), "about 58"),
};
