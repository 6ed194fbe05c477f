const { countOf, parameters, withParameters } = await import("/js/recipients/filter.js");
const { dueTexts, shortWindowText } = await import("/js/pushes/words.js");
const run = {
  targeted: 100,
  accepted: 90,
  rejected: 6,
  pending: 0,
  deferred: 3,
  opened: 9,
  finished_at: "2026-11-24T10:00:00Z",
  reasons: [{ outcome: "rejected", reason: "Unregistered", count: 4 }],
};
const groups = {
  locale: [{ value: "de", targeted: 12, accepted: 11 }, { value: "", targeted: 2, accepted: 2 }],
  os_version: [],
  app_version: [],
};
const dueTimes = [{ due_at: "2026-11-24T09:00:00.000Z", targeted: 40, accepted: 38 }];
const known = { run, groups, dueTimes };

return {
  "a count is told where the ledger, statistics or due times have it": () =>
    equal(
      [
        {},
        { kind: "accepted" },
        { kind: "rejected", reason: "Unregistered" },
        { locale: "de" },
        { locale: "none", kind: "accepted" },
        { due_at: "2026-11-24T09:00:00.000Z", kind: "accepted" },
        { deferred: "true" },
        { opened: "true" },
      ].map((query) => countOf(query, known)),
      [100, 90, 4, 12, 2, 38, 3, 9],
    ),
  "nothing is told that they do not have": () =>
    equal(
      [
        { locale: "de", os_version: "26.0" },
        { q: "user-1" },
        { opened: "false" },
        { opened: "true", kind: "accepted" },
        { event: "action" },
        { locale: "fr" },
        { kind: "rejected", reason: "BadTopic" },
      ].map((query) => countOf(query, known)),
      Array(7).fill(null),
    ),
  "statistics have no run that is still sent": () =>
    equal(countOf({ locale: "de" }, { ...known, run: { ...run, finished_at: null } }), null),
  "a property that was not known is asked for with an empty value": () =>
    equal(
      withParameters("/x", parameters({ kind: "accepted", locale: "none", due_at: "2026-11-24T09:00:00Z" })),
      "/x?outcome=accepted&due_at=2026-11-24T09%3A00%3A00Z&locale=",
    ),
  "due times have as many digits as tell them apart": () =>
    equal(
      [["2026-11-23T09:00:00.000Z", "2026-11-23T10:00:00.000Z"], [
        "2026-11-23T09:00:00.000Z",
        "2026-11-23T09:00:07.000Z",
      ], ["2026-11-23T09:00:07.000Z", "2026-11-23T09:00:07.120Z"]].map((times) =>
        /10:00(:\d\d)?(\.\d{3})? /.exec([...dueTexts(times).values()][0])?.[0].trim()
      ),
      ["10:00", "10:00:00", "10:00:07.000"],
    ),
  "a window is one time if it is shorter than a second, and has its days if they are not the run's": () =>
    equal(
      [["2026-11-23T09:00:00.100Z", "2026-11-23T09:00:00.900Z"], [
        "2026-11-23T09:00:00.000Z",
        "2026-11-23T09:00:05.000Z",
      ]].map(([due, ended]) => shortWindowText({ due_at: due, ended_at: ended }, "2026-11-23T08:00:00Z")).concat(
        shortWindowText({ due_at: "2026-11-24T09:00:00Z", ended_at: null }, "2026-11-23T08:00:00Z").includes("24"),
      ),
      ["10:00:00", "10:00:00 – 10:00:05", true],
    ),
};
