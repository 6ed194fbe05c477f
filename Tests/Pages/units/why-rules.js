await (await import("/js/i18n.js")).loadTexts("history");
const { stepsOf, verdictText } = await import("/js/why/rules.js");
const answer = (steps, more = {}) => ({
  verdict: "not_sent",
  delivery: {},
  conditions: [],
  steps: steps.map(([rule, result, text = "Server."]) => ({ rule, result, text })),
  ...more,
});
const rules = [
  "registered_before_start",
  "token_kind",
  "token",
  "planned",
  "audience",
  "permission",
  "topic",
  "local_time",
  "quiet_hours",
  "frequency_cap",
  "credential",
  "value",
  "size",
  "expiration",
  "cancellation",
  "sending",
  "apple",
  "answer",
];

return {
  "every rule of the server has a name": () =>
    equal(stepsOf(answer(rules.map((rule) => [rule, "passed"]))).filter(({ name, rule }) => name === rule), []),
  "a step is told in the server's words, also one of a newer server": () =>
    equal(
      stepsOf(
        answer([["permission", "passed", "Notifications were not denied."], [
          "moon-phase",
          "failed",
          "The moon was new.",
        ]]),
      ).map(({ name, text }) => [name, text]),
      [["Permission", "Notifications were not denied."], ["moon-phase", "The moon was new."]],
    ),
  "Apple's code is told in words": () =>
    equal(
      stepsOf(
        answer([["apple", "failed", "Apple rejected the push: BadDeviceToken."]], {
          delivery: { reason: "BadDeviceToken" },
        }),
      ).map(({ text }) => text),
      ["Apple rejected the push: Wrong token or environment."],
    ),
  "the verdict says who rejected it, and that an answer was lost": () =>
    equal(
      [
        answer([["apple", "failed"]], { delivery: { outcome: "rejected" } }),
        answer([["answer", "unknown"]], { verdict: "sent", delivery: { outcome: "unknown" } }),
        answer([["audience", "failed"]], { verdict: "not_considered", delivery: null }),
      ].map((each) => verdictText(each, "Moon")),
      [
        "Apple rejected “Moon” for this device.",
        "“Moon” was sent to this device, but Apple's answer was lost.",
        "“Moon” was not for this device.",
      ],
    ),
};
