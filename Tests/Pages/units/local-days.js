const { beginOf } = await import("/js/schedule/zones.js");
const { midnight, midnightOf } = await import("/js/local-days.js");
const hours = (from, to) => (to - from) / 3_600_000;

return {
  "the next midnight is 25 hours later when the clocks are set back": () =>
    equal(hours(midnight("2026-10-25T12:00:00Z"), midnight("2026-10-25T12:00:00Z", 1)), 25),
  "a date is the reader's day": () => equal(midnightOf("2026-11-23", 1).toISOString(), "2026-11-23T23:00:00.000Z"),
  "a day begins with the first moment of its date": () =>
    equal(
      [
        beginOf("2026-11-01", "America/Havana"),
        beginOf("2026-03-08", "America/Havana"),
        beginOf("2026-10-25", "Asia/Beirut"),
        beginOf("2011-12-31", "Pacific/Apia"),
        beginOf("2011-12-30", "Pacific/Apia"),
      ].map((each) => new Date(each).toISOString().slice(0, 16)),
      ["2026-11-01T04:00", "2026-03-08T05:00", "2026-10-24T22:00", "2011-12-30T10:00", "2011-12-30T10:00"],
    ),
  "anything else is no date": () =>
    equal([midnightOf("2026-11"), midnightOf("2026-11-23T10:00:00Z"), midnightOf(undefined)], [null, null, null]),
};
