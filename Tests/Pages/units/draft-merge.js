const { changes, merge } = await import("/js/draft/merge.js");
const { same } = await import("/js/json/difference.js");
const { at, put } = await import("/js/json/paths.js");
const base = {
  name: "Bells",
  payload: { aps: { alert: { title: "One", body: "Two" } } },
  schedule: { kind: "at", at: "a" },
};
const members = Object.keys(base);
const mine = put(base, "payload.aps.alert.title", "Mine");

return {
  "what only they changed is taken and named": () => {
    const { value, taken, conflicts } = merge(base, mine, put(base, "payload.aps.alert.body", "Theirs"), members);
    equal(value.payload.aps.alert, { title: "Mine", body: "Theirs" });
    equal([taken, conflicts], [["payload.aps.alert.body"], []]);
  },
  "what both changed is a conflict that keeps mine until somebody decides": () => {
    const { value, conflicts } = merge(base, mine, put(base, "payload.aps.alert.title", "Theirs"), members);
    equal(value.payload.aps.alert.title, "Mine");
    equal(conflicts, [{ path: "payload.aps.alert.title", mine: "Mine", theirs: "Theirs" }]);
  },
  "the same change on both sides is no conflict": () => equal(merge(base, mine, mine, members).conflicts, []),
  "a schedule is one decision and never merged piece by piece": () => {
    const { conflicts } = merge(base, put(base, "schedule.at", "b"), put(base, "schedule.kind", "local"), members);
    equal(conflicts.map(({ path }) => path), ["schedule"]);
  },
  "what they removed is removed, and what I removed stays removed": () => {
    const { value } = merge(
      base,
      put(base, "payload.aps.alert.title", undefined),
      put(base, "payload.aps.alert.body", undefined),
      members,
    );
    equal(value.payload.aps.alert, {});
  },
  "an absent member equals an undefined one, and null is a value": () =>
    equal([same({ a: undefined }, {}), same({ a: null }, {})], [true, false]),
  "lists are equal only in the same order": () =>
    equal([same([1, 2], [1, 2]), same([1, 2], [2, 1]), same([1], [1, 2])], [true, false, false]),
  "changes name only members that differ": () =>
    equal(changes(base, { ...mine, name: "Bells" }, members), { payload: mine.payload }),
  "a value is put at a path without changing what was there": () => {
    equal(at(mine, "payload.aps.alert.title"), "Mine");
    equal(base.payload.aps.alert.title, "One");
  },
};
