const { midnight, midnightOf } = await import("/js/local-days.js");
const hours = (from, to) => (to - from) / 3_600_000;

return {
  "the next midnight is 25 hours later when the clocks are set back": () => equal(hours(midnight("2026-10-25T12:00:00Z"), midnight("2026-10-25T12:00:00Z", 1)), 25),
  "a date is the reader's day": () => equal(midnightOf("2026-11-23", 1).toISOString(), "2026-11-23T23:00:00.000Z"),
  "anything else is no date": () => equal([midnightOf("2026-11"), midnightOf("2026-11-23T10:00:00Z"), midnightOf(undefined)], [null, null, null]),
};
