const { addMonths, isMonth, weeksOf } = await import("/js/calendar/dates.js");
const { datesOf, plannedBetween } = await import("/js/calendar/planned.js");
const dates = (rule, from = "2026-11-02T09:00:00", last = "2026-12-31") => datesOf({ rule, from }, "2026-11-01", last);
const recurring = (rule, time_zone, from) => ({ kind: "recurring", rule, from, time_zone });
const planned = (campaigns, first, last, zone = "Europe/Berlin") =>
  plannedBetween(campaigns, first, last, zone).map(({ date, time, isLocal, isRepeat }) =>
    [date.slice(5), time, isLocal ? "local" : "", isRepeat ? "repeat" : ""].filter(Boolean).join(" ")
  );

return {
  "the weeks of a month begin on Mondays": () =>
    equal(
      ["2026-11", "2026-02", "2027-02"].map((month) => {
        const weeks = weeksOf(month);
        return [weeks.length, weeks[0][0], weeks.at(-1)[6]];
      }),
      [[6, "2026-10-26", "2026-12-06"], [5, "2026-01-26", "2026-03-01"], [4, "2027-02-01", "2027-02-28"]],
    ),
  "months go on over the year": () =>
    equal([addMonths("2026-12", 1), addMonths("2026-01", -1), isMonth("2026-13"), isMonth("2026-12")], [
      "2027-01",
      "2025-12",
      false,
      true,
    ]),
  "a rule has the days of its weeks": () =>
    equal([dates("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", undefined, "2026-11-30"), dates("FREQ=WEEKLY;COUNT=3")], [
      ["2026-11-02", "2026-11-05", "2026-11-16", "2026-11-19", "2026-11-30"],
      ["2026-11-02", "2026-11-09", "2026-11-16"],
    ]),
  "a rule by the day ends with its last day, and counts what is past": () =>
    equal([dates("FREQ=DAILY;INTERVAL=3;UNTIL=20261109"), dates("FREQ=DAILY;COUNT=5", "2026-10-29T09:00:00")], [
      ["2026-11-02", "2026-11-05", "2026-11-08"],
      ["2026-11-01", "2026-11-02"],
    ]),
  "a rule by the month leaves out months without the day": () =>
    equal(dates("FREQ=MONTHLY;BYMONTHDAY=31", "2026-10-31T09:00:00"), ["2026-12-31"]),
  "a rule that can't be read has no later days": () => equal(dates("FREQ=MONTHLY;BYDAY=1MO"), []),
  "times are on the reader's clock, local times on their own": () =>
    equal(
      planned(
        [
          { next_at: "2026-11-23T23:30:00Z", schedule: { kind: "at" } },
          { next_at: "2026-11-24T09:00:00", schedule: { kind: "local" } },
          { next_at: null, schedule: { kind: "triggered" } },
        ],
        "2026-11-01",
        "2026-11-30",
      ),
      ["11-24 00:30", "11-24 09:00 local"],
    ),
  "a recurring campaign goes on from its next time, also across a change of clocks": () =>
    equal(
      planned(
        [{
          next_at: "2026-10-24T16:30:00Z",
          schedule: recurring("FREQ=DAILY", "Europe/Berlin", "2026-10-01T18:30:00"),
        }, {
          next_at: "2026-10-24T09:00:00",
          schedule: recurring("FREQ=DAILY;INTERVAL=2", "recipient", "2026-10-24T09:00:00"),
        }],
        "2026-10-01",
        "2026-10-26",
      ),
      [
        "10-24 09:00 local repeat",
        "10-24 18:30 repeat",
        "10-25 18:30 repeat",
        "10-26 09:00 local repeat",
        "10-26 18:30 repeat",
      ],
    ),
  "a time that clocks jump over is an hour later": () =>
    equal(
      planned(
        [{
          next_at: "2027-03-27T01:30:00Z",
          schedule: recurring("FREQ=DAILY", "Europe/Berlin", "2027-03-27T02:30:00"),
        }],
        "2027-03-28",
        "2027-03-28",
      ),
      ["03-28 03:30 repeat"],
    ),
  "days of other zones fall on the reader's": () =>
    equal(
      planned(
        [{
          next_at: "2026-10-31T20:00:00Z",
          schedule: recurring("FREQ=WEEKLY", "Pacific/Auckland", "2026-11-01T09:00:00"),
        }],
        "2026-11-01",
        "2026-11-07",
      ),
      ["11-07 21:00 repeat"],
    ),
};
