const { blank, isComplete, kindOf, operators, withOperator } = await import("/js/audience/fields.js");
const { readValues } = await import("/js/audience/device-values.js");
const { part } = await import("/js/audience/sentence.js");
const known = { born: { kind: "date" }, plan: { kind: "text" } };

return {
  "an attribute whose values are all dates is one": () => {
    const attribute = (name, ...values) => ({
      name,
      type: "text",
      count: 2,
      values: values.map((value) => ({ value, count: 1 })),
    });
    const { attributes } = readValues({
      devices: 2,
      fields: [],
      tags: [],
      attributes: [
        attribute("born", "1990-05-17", "2000-02-29"),
        attribute("paid", "2026-11-21T10:00:00Z"),
        attribute("plan", "gold", "1990-05-17"),
        attribute("code", "1990-05-171"),
      ],
    });
    equal(Object.values(attributes).map(({ kind }) => kind), ["date", "date", "text", "text"]);
  },
  "a date begins with its anniversary today": () => {
    const leaf = blank("attribute:born", known);
    equal([leaf, isComplete(leaf)], [{ attribute: "born", op: "anniversary_in_days", value: 0 }, true]);
  },
  "dates are offered for dates, and for attributes that no device has": () => {
    const offers = (attribute) => operators({ attribute, op: "exists" }, known).includes("anniversary_in_days");
    equal(["born", "plan", "other"].map(offers), [true, false, true]);
    equal(kindOf({ attribute: "plan", op: "before", value: "" }, known), "date");
    equal(operators({ field: "last_seen_at", op: "before" }, known).includes("anniversary_in_days"), false);
  },
  "a value stays only where it means the same": () => {
    const change = (op, value, next) => withOperator({ attribute: "born", op, value }, next, known).value;
    equal(change("before", "2026-11-21", "after"), "2026-11-21");
    equal(change("is", "gold", "before"), "");
    equal(change("anniversary_in_days", 0, "within_days"), 30);
    equal(change("within_days", 3, "within_next_days"), 3);
    equal(change("within_days", 3, "anniversary_in_days"), 0);
    equal(isComplete({ attribute: "born", op: "within_next_days", value: 0 }), false);
  },
  "a date is said in words": () => {
    const say = (op, value) => part({ attribute: "born", op, value }, {});
    equal([
      say("anniversary_in_days", 0),
      say("anniversary_in_days", 1),
      say("within_next_days", 7),
      say("before", "2026-11-21"),
    ], [
      "born has its anniversary today",
      "born has its anniversary tomorrow",
      "born is in the next 7 days",
      "born is before 21 Nov 2026",
    ]);
  },
};
