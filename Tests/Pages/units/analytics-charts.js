const { thinned, ticksTo } = await import("/js/ui/chart-scale.js");
const { readMeasures, shareOf } = await import("/js/analytics/measures.js");
const { isLastRun } = await import("/js/analytics/names.js");
const { refusals, ending } = await import("/js/dashboard/key-troubles.js");
const run = { id: "5", finished_at: "2026-11-24T12:00:00Z", targeted: 9, accepted: 7 };

return {
  "a scale has whole, round steps from zero to above the highest value": () =>
    equal(
      [0, 1, 3, 12, 120, 405, 1_840, 2_600_000].map((most) => ticksTo(most).slice(1, 2).concat(ticksTo(most).at(-1))),
      [[1, 1], [1, 1], [1, 3], [5, 15], [50, 150], [100, 500], [500, 2_000], [1_000_000, 3_000_000]],
    ),
  "two digits are enough for each number of a scale": () =>
    equal(
      Array.from({ length: 3_000 }, (_, most) => ticksTo(most)).flat().filter((value) =>
        Number(value.toPrecision(2)) !== value
      ),
      [],
    ),
  "words of an axis keep their distance": () =>
    equal(thinned([0, 1, 2, 3, 4].map((index) => ({ index })), 20, 35).map(({ index }) => index), [0, 2, 4]),
  "lines are those of the address, each once and at most four": () =>
    equal([
      readMeasures("opened,opened,moon,accepted", ["x"]),
      readMeasures("targeted,accepted,rejected,opened,replies", []).length,
      readMeasures("", ["opened"]),
    ], [["opened", "accepted"], 4, ["opened"]]),
  "a share above the whole is not told": () => equal([shareOf(3, 2), shareOf(2, 2)], ["–", "100%"]),
  "numbers are of the newest run only if all of them are": () =>
    equal([
      isLastRun({ targeted: 9, accepted: 7 }, run),
      isLastRun({ targeted: 18, accepted: 7 }, run),
      isLastRun({ targeted: 9, accepted: 7 }, { ...run, finished_at: null }),
      isLastRun({ targeted: 9, accepted: 7 }, null),
    ], [true, false, false, false]),
  "of the reasons, those about keys are told": () =>
    equal(refusals([{ value: "Unregistered", targeted: 4 }, { value: "InvalidProviderToken", targeted: 3 }]), [{
      reason: "InvalidProviderToken",
      count: 3,
    }]),
  "keys that stop within two weeks are told, the first one first": () => {
    const now = Date.parse("2026-11-24T12:00:00Z");
    const key = (id, days, more = {}) => ({
      id,
      expires_at: days === null ? null : new Date(now + days * 86_400_000).toISOString(),
      revoked_at: null,
      ...more,
    });
    equal(
      ending([
        key("far", 15),
        key("soon", 9),
        key("first", 1),
        key("over", -1),
        key("never", null),
        key("revoked", 2, { revoked_at: "2026-11-20T12:00:00Z" }),
      ], now).map(({ id }) => id),
      ["first", "soon"],
    );
  },
};
