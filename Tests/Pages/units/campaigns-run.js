const { asksToStart, averageRate, done, isMoving, isOver, timeLeft, total, zoneAt } = await import(
  "/js/campaigns/run.js"
);
const run = {
  state: "sending",
  finished_at: null,
  planned_at: "2026-11-23T08:00:00Z",
  started_at: "2026-11-23T08:00:00Z",
  estimated: 90,
  targeted: 100,
  pending: 40,
  cancelled: 0,
  accepted: 50,
  rejected: 5,
  unknown: 5,
  reason: null,
};
const rates = (rate, count) => Array.from({ length: count }, () => ({ rate }));

return {
  "a cancelled device is not done": () => equal(done({ ...run, pending: 10, cancelled: 30 }), 60),
  "the estimate counts until the run is planned": () =>
    equal([total(run), total({ ...run, planned_at: null }), total({ ...run, planned_at: null, estimated: 120 })], [
      100,
      100,
      120,
    ]),
  "a cancelled run is over before its last outcomes are recorded": () =>
    equal([isOver({ ...run, state: "cancelled" }), isOver(run), isMoving({ ...run, state: "paused" })], [
      true,
      false,
      false,
    ]),
  "only a steady rate foretells the end": () =>
    equal([timeLeft(run, rates(10, 2)), timeLeft(run, rates(10, 3)), timeLeft(run, rates(0, 9))], [null, 4000, null]),
  "a paused run has no end in sight": () => equal(timeLeft({ ...run, state: "paused" }, rates(10, 9)), null),
  "the average counts what was sent, and a run of less than a second has none": () =>
    equal([
      averageRate({ ...run, finished_at: "2026-11-23T08:00:10Z" }),
      averageRate({ ...run, finished_at: "2026-11-23T08:00:00.500Z" }),
    ], [6, null]),
  "only a run that was never begun asks whether to start": () =>
    equal([
      asksToStart({ ...run, state: "paused", targeted: 0, reason: "Start now?" }),
      asksToStart({ ...run, state: "paused", reason: "Start now?" }),
      asksToStart({ ...run, state: "paused", targeted: 0, reason: "By hand." }),
    ], [true, false, false]),
  "a local time belongs to a zone whose clocks show it then": () =>
    equal([
      zoneAt({ occurrence: "2026-11-25T09:00:00" }, "2026-11-25T00:00:00Z"),
      zoneAt({ occurrence: "2026-11-25T09:00:00Z" }, "2026-11-25T00:00:00Z"),
      zoneAt({ occurrence: "2026-11-25T09:07:00" }, "2026-11-25T00:00:00Z"),
      zoneAt({ occurrence: "2026-11-25T09:00:00", best_time_until: "21:00" }, "2026-11-25T00:00:00Z"),
    ], ["Asia/Tokyo", null, null, null]),
};
