const { parseRule, weekdayOf, writeRule } = await import("/js/schedule/rule.js");

return {
  "rules that the blanks hold come back as they were": () => {
    for (
      const rule of [
        "FREQ=DAILY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH",
        "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=3",
        "FREQ=DAILY;UNTIL=20261231",
      ]
    ) equal(writeRule(parseRule(rule)), rule);
  },
  "weekdays are in the order of the week": () =>
    equal(
      writeRule({ unit: "weeks", every: 1, on: ["SU", "MO"], count: null, until: null }),
      "FREQ=WEEKLY;BYDAY=MO,SU",
    ),
  "a rule that the blanks can't hold is not taken for another one": () =>
    equal(
      [
        "FREQ=YEARLY",
        "FREQ=MONTHLY;BYDAY=1MO",
        "FREQ=DAILY;BYHOUR=9",
        "FREQ=MONTHLY;BYMONTHDAY=-1",
        "FREQ=DAILY;UNTIL=20261231T090000Z",
        "FREQ=WEEKLY;WKST=SU",
      ].map(parseRule),
      Array(6).fill(null),
    ),
  "an end is a date": () => equal(parseRule("FREQ=DAILY;UNTIL=20261231").until, "2026-12-31"),
  "the 23rd of November 2026 is a Monday in every zone": () => equal(weekdayOf("2026-11-23"), "MO"),
};
