// Derives progress, rate and state from a run's numbers. Does not use the DOM or texts, so it can be tested alone. Runs
// are as the API gives them.

/** No more pushes will be sent. The last outcomes of a cancelled run are recorded shortly after. */
export function isOver(run) {
  return run.finished_at !== null || run.state === "cancelled";
}

export function isMoving(run) {
  return !isOver(run) && (run.state === "sending" || run.state === "waiting");
}

/** Everybody who will be considered: an estimate until the run is planned. */
export function total(run) {
  return run.planned_at ? run.targeted : Math.max(run.estimated, run.targeted);
}

export function isEstimate(run) {
  return !run.planned_at && run.estimated > run.targeted;
}

/** Devices with an outcome. Cancelled ones have one, but nothing was sent to them. */
export function done(run) {
  return run.targeted - run.pending - run.cancelled;
}

/**
 * Returns true if a run waits for its first devices to be due. The number that its rules keep back is known before, so
 * a share of it is no progress.
 */
export function isAhead(run) {
  return run.state === "waiting" && !run.accepted && !run.rejected && !run.unknown;
}

/**
 * A paused run that was never begun and asks, in the reader's language, whether it should be: resume is yes, cancel is
 * no.
 */
export function asksToStart(run) {
  return run.state === "paused" && run.targeted === 0 && /[?？]\s*$/.test(run.reason ?? "");
}

/** Milliseconds until the run has sent everything at this rate, or null. Only a steady rate foretells anything. */
export function timeLeft(run, samples) {
  const recent = samples.slice(-20).map(({ rate }) => rate).filter((rate) => rate > 0);
  if (run.state !== "sending" || recent.length < 3) return null;
  const mean = recent.reduce((sum, rate) => sum + rate, 0) / recent.length;
  return ((total(run) - run.targeted + run.pending) / mean) * 1000;
}

/** The rate of the last seconds: a slow run has seconds with none. Null before the first sample. */
export function recentRate(samples) {
  const recent = samples.slice(-5).map(({ rate }) => rate);
  if (!recent.length) return null;
  const mean = recent.reduce((sum, rate) => sum + rate, 0) / recent.length;
  return mean < 10 ? Math.round(mean * 10) / 10 : Math.round(mean);
}

/** The average pushes per second of a run that is over, or null when it was too short to say. */
export function averageRate(run) {
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
  return seconds >= 1 ? Math.round((run.accepted + run.rejected + run.unknown) / seconds) : null;
}

/** Cities whose clocks name an offset from UTC, west to east, the best known of each offset first. */
const cities = [
  "Pacific/Auckland",
  "Australia/Sydney",
  "Asia/Tokyo",
  "Asia/Shanghai",
  "Asia/Bangkok",
  "Asia/Kolkata",
  "Asia/Dubai",
  "Europe/Moscow",
  "Europe/Athens",
  "Europe/Berlin",
  "Europe/London",
  "America/Sao_Paulo",
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "Asia/Karachi",
  "Asia/Dhaka",
  "Australia/Adelaide",
  "Asia/Kathmandu",
  "Asia/Yangon",
  "Asia/Tehran",
  "Asia/Kabul",
  "Pacific/Tongatapu",
  "Pacific/Kiritimati",
  "Pacific/Noumea",
  "Atlantic/Azores",
  "America/Halifax",
  "America/St_Johns",
  "Pacific/Pago_Pago",
  "Atlantic/South_Georgia",
];

/**
 * The name of a zone in which clocks show the local time of a run's `occurrence` ("2026-11-25T09:00:00") at the instant
 * `time`, on whatever day; null when none of the known ones does.
 */
export function zoneAt({ occurrence, best_time_until: until }, time) {
  const wanted = occurrence?.slice(11, 16);
  // At best times it is many hours of the day in many places.
  if (!wanted || until || /Z|[+-]\d\d:\d\d$/.test(occurrence)) return null;
  return cities.find((timeZone) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
      new Date(time),
    ) === wanted
  ) ?? null;
}
