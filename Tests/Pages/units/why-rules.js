await (await import("/js/i18n.js")).loadTexts("history");
const { stepsOf, verdictText } = await import("/js/why/rules.js");
const answer = (steps, more = {}) => ({ verdict: "not_sent", delivery: {}, conditions: [], steps: steps.map(([rule, result, text = "Server."]) => ({ rule, result, text })), ...more });
const sentences = (...of) => stepsOf(answer(...of)).map(({ sentence }) => sentence);
const rules = {
  passed: ["registered_before_start", "audience", "permission", "local_time", "quiet_hours", "value", "sending", "apple"],
  failed: ["registered_before_start", "token", "permission", "local_time", "quiet_hours", "credential", "value", "size", "expiration", "cancellation", "sending", "apple"],
  unknown: ["sending", "answer"],
};

return {
  "every rule of the server has a sentence": () => {
    const known = Object.entries(rules).flatMap(([result, names]) => stepsOf(answer(names.map((rule) => [rule, result]))));
    const others = stepsOf(answer([["registered_before_start", "failed"], ["token_kind", "failed"], ["token", "failed"], ["audience", "failed"], ["cancellation", "failed"], ["planned", "unknown"]], { delivery: null }));
    equal([...known, ...others].filter(({ isOwn, name, rule }) => !isOwn || name === rule), []);
  },
  "topics and caps keep their values": () => equal(
    sentences([["topic", "failed", "The person had opted out of the topic news."], ["frequency_cap", "passed", "The frequency cap of 3 pushes in 7 days was not reached."], ["frequency_cap", "failed", "The frequency cap of 1 push in one day was reached."]]),
    ["The person had opted out of the topic news.", "The frequency cap of 3 in 7 days was not reached.", "The frequency cap of 1 in one day was reached."]),
  "a rule of a newer server, and a value that is not told, are told in the server's words": () => equal(
    stepsOf(answer([["moon-phase", "failed", "The moon was new."], ["frequency_cap", "failed", "The cap was reached."]])).map(({ name, sentence, isOwn }) => [name, sentence, isOwn]),
    [["moon-phase", "The moon was new.", false], ["Frequency cap", "The cap was reached.", false]]),
  "a device that meets the conditions today has changed since": () => equal(
    [[{ is_met: false }], [{ is_met: true }], []].map((conditions) => sentences([["audience", "failed"]], { delivery: null, conditions })[0].includes("changed since")), [false, true, true]),
  "a deleted list of recipients is not one that is still being made": () => {
    const [deleted, early] = ["unknown", "pending"].map((verdict) => sentences([["planned", "unknown"]], { delivery: null, verdict })[0]);
    equal([deleted.includes("deleted"), early.includes("not listed")], [true, true]);
  },
  "the verdict says who rejected it, and that an answer was lost": () => equal(
    [answer([["apple", "failed"]], { delivery: { outcome: "rejected" } }), answer([["answer", "unknown"]], { verdict: "sent", delivery: { outcome: "unknown" } }), answer([["audience", "failed"]], { verdict: "not_considered", delivery: null })].map((each) => verdictText(each, "Moon")),
    ["Apple rejected “Moon” for this device.", "“Moon” was sent to this device, but Apple's answer was lost.", "“Moon” was not for this device."]),
};
