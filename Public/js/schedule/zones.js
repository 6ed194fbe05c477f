// Local times and time zones: the times that exist, and the zones where it is a given time. Pure, without DOM.

/** Clocks of zones: each is made once, because that is slow. A name that is no zone has null. */
const clocks = new Map();

function clockOf(timeZone) {
  if (!clocks.has(timeZone)) clocks.set(timeZone, newClock(timeZone));
  return clocks.get(timeZone);
}

function newClock(timeZone) {
  try {
    return new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return null;
  }
}

/** The wall clock of a zone at a moment (milliseconds), as "2026-11-23T09:00:00". */
export function wallClock(moment, timeZone) {
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    clockOf(timeZone).formatToParts(moment).map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** Seconds are enough: offsets have no fractions of them. */
const offsetAt = (moment, timeZone) => Date.parse(`${wallClock(moment, timeZone)}Z`) - moment;
/** Milliseconds within which no zone changes its offset twice. */
const reachMs = 86_400_000;

/**
 * The moments (milliseconds, earliest first) at which a zone's clock shows this local time: none in a gap, two when it
 * is set back.
 */
export function momentsOf(local, timeZone) {
  const asUTC = Date.parse(`${local}Z`);
  const offsets = new Set([-reachMs, reachMs].map((shift) => offsetAt(asUTC + shift, timeZone)));
  return [...offsets].map((offset) => asUTC - offset).filter((moment) => wallClock(moment, timeZone) === local).sort((
    one,
    other,
  ) => one - other);
}

/**
 * The first moment (milliseconds) of a date in a zone, as the server has it: of two midnights the first, and without a
 * midnight the moment at which the clock jumps over it.
 */
export function beginOf(date, timeZone) {
  const [first] = momentsOf(`${date}T00:00:00`, timeZone);
  if (first !== undefined) return first;
  const asUTC = Date.parse(`${date}T00:00:00Z`);
  let [before, after] = [reachMs, -reachMs].map((shift) => asUTC - offsetAt(asUTC + shift, timeZone));
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000;
    if (wallClock(middle, timeZone) < `${date}T`) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * The zones in which clocks change over this local time, as [{kind, shown, zones}]. Of kind "skipped" the time does not
 * exist, and the clock shows `shown` when it is sent; of kind "twice" it is sent the first time. So does the server
 * (RFC 5545 §3.3.5).
 */
export function clockChanges(local, zones) {
  const found = new Map();
  for (const zone of zones.filter(clockOf)) {
    const moments = momentsOf(local, zone);
    if (moments.length === 1) continue;
    const asUTC = Date.parse(`${local}Z`);
    // A time that does not exist is computed with the offset before the change.
    const moment = moments[0] ?? asUTC - offsetAt(asUTC - reachMs, zone);
    const entry = {
      kind: moments.length ? "twice" : "skipped",
      shown: wallClock(moment, zone).slice(11, 16),
      zones: [],
    };
    const key = entry.kind + entry.shown;
    found.set(key, found.get(key) ?? entry);
    found.get(key).zones.push(zone);
  }
  return [...found.values()];
}

/** Returns those of these zones whose clock shows the local time at a moment. */
export function zonesAt(moment, local, zones) {
  return zones.filter((each) => clockOf(each) && wallClock(moment, each) === local);
}
