const { addDays, beginnings, daysWithin, filled, floorTo, happenedWithin, readPeriod, sentWithin } = await import(
  "/js/analytics/period.js"
);
const { beginOf } = await import("/js/schedule/zones.js");
const now = Date.parse("2026-11-24T22:30:00Z");
const hour = 3_600_000;
const read = (query, zone = "Europe/Berlin") => readPeriod(query, zone, now);
const dates = ({ from, to, problem }) => [from, to, problem];

return {
  "without parameters it is the last 30 days by the day, today included": () => {
    const { unit, days, isUntilNow, ...rest } = read({});
    equal([dates(rest), unit, days, isUntilNow], [["2026-10-26", "2026-11-24", null], "day", 30, true]);
  },
  "today is where the zone is": () =>
    equal([read({ period: "7" }, "Pacific/Auckland").to, read({ period: "7" }, "America/Los_Angeles").to], [
      "2026-11-25",
      "2026-11-24",
    ]),
  "a zone that is none is the reader's": () => equal(read({ zone: "Moon/Base" }).zone, "Europe/Berlin"),
  "own dates are checked": () =>
    equal(
      [{ from: "2026-11-02", to: "2026-11-01" }, { from: "2026-02-30", to: "2026-11-01" }, {
        from: "2020-01-01",
        to: "2026-11-01",
      }, { from: "2026-11-01", to: "2026-11-01" }].map((own) => read({ period: "own", ...own }).problem),
      ["order", "dates", "long", null],
    ),
  "hours are for as many days as the API answers": () =>
    equal([
      read({ period: "90", unit: "hour" }).unit,
      read({ period: "own", from: "2026-01-01", to: "2026-11-01", unit: "hour" }).unit,
    ], ["hour", "day"]),
  "until now has no end for totals, because it may be tomorrow in UTC": () =>
    equal([
      sentWithin(read({ period: "7" })),
      sentWithin(read({ period: "own", from: "2026-11-01", to: "2026-11-02" })),
    ], [{ since: "2026-11-18", time_zone: "Europe/Berlin" }, {
      since: "2026-11-01",
      time_zone: "Europe/Berlin",
      until: "2026-11-03",
    }]),
  "today has the day that it is in UTC, until that ends": () => {
    const early = Date.parse("2026-11-24T23:30:00Z");
    const today = readPeriod({ period: "own", from: "2026-11-25", to: "2026-11-25" }, "Europe/Berlin", early);
    equal(daysWithin(today, early), { since: "2026-11-24T00:00:00Z" });
  },
  "a series goes from midnight to midnight of the zone": () =>
    equal(happenedWithin(read({ period: "own", from: "2026-10-25", to: "2026-10-25" })), {
      since: "2026-10-24T22:00:00.000Z",
      until: "2026-10-25T23:00:00.000Z",
    }),
  "the day on which clocks go back has 25 hours, and each day is there once": () => {
    const [since, until] = [beginOf("2026-10-24", "Europe/Berlin"), beginOf("2026-10-27", "Europe/Berlin")];
    equal([
      beginnings("hour", since, until, "Europe/Berlin").length,
      beginnings("day", since, until, "Europe/Berlin").length,
    ], [73, 3]);
  },
  "a day that begins at one o'clock is found": () =>
    equal(new Date(beginOf("2026-03-08", "America/Havana")).toISOString(), "2026-03-08T05:00:00.000Z"),
  "an hour begins by the clocks of the zone": () =>
    equal(
      [floorTo("hour", now, "Asia/Kolkata"), floorTo("hour", now, "UTC"), floorTo("minute", now + 59_999, "UTC")].map((
        each,
      ) => (each - now) / hour),
      [0, -0.5, 0],
    ),
  "units without anything come back, and none is lost": () => {
    const units = [{ starts_at: new Date(hour).toISOString(), opened: 2 }, {
      starts_at: new Date(hour * 9).toISOString(),
      opened: 1,
    }];
    equal(filled(units, [0, hour]).map(({ time, counts }) => [time / hour, counts?.opened ?? null]), [
      [0, null],
      [1, 2],
      [9, 1],
    ]);
  },
  "days are added across months": () =>
    equal([addDays("2026-02-28", 1), addDays("2026-01-01", -1)], ["2026-03-01", "2025-12-31"]),
};
