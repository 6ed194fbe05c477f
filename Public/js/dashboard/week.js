// The last seven days in numbers. No DOM and no texts.

const day = 86_400_000;

function dayOf(time) {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * Adds up runs of the last days: {runs, accepted, isCut, days: [{time, accepted}], engaged, engagedOf, known}. A list
 * of runs does not say who was engaged, so that is added up over campaigns' newest runs: `known` of them, with
 * `engagedOf` accepted.
 */
export function summary(runs, campaigns, isCut, now = Date.now()) {
  const days = Array.from({ length: 7 }, (_, index) => ({ time: dayOf(now - (6 - index) * day), accepted: 0 }));
  for (const run of runs) {
    const found = days.find(({ time }) => time === dayOf(run.started_at));
    if (found) found.accepted += run.accepted;
  }
  const ids = new Set(runs.map(({ id }) => id));
  const reportedRuns = campaigns.map((each) => each.last_run).filter((run) =>
    run && ids.has(run.id) && run.engaged !== null
  );
  const sum = (list, name) => list.reduce((total, each) => total + each[name], 0);
  return {
    runs: runs.length,
    accepted: sum(runs, "accepted"),
    isCut,
    days,
    engaged: sum(reportedRuns, "engaged"),
    engagedOf: sum(reportedRuns, "accepted"),
    known: reportedRuns.length,
  };
}
