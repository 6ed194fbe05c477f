// Local times and time zones: what exists, and where it is that time. Pure, without DOM.

/** The wall clock of a zone at a moment (milliseconds), as "2026-11-23T09:00:00". */
export function wallClock(moment, timeZone) {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
  }).formatToParts(moment);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** The moments (milliseconds, earliest first) at which a zone's clock shows this local time: none in a gap, two when it is set back. */
export function momentsOf(local, timeZone) {
  const asUTC = Date.parse(`${local}Z`);
  // Offsets of a day before and after: clocks change at most once in between.
  const offsets = new Set([-86_400_000, 86_400_000].map((shift) => Date.parse(`${wallClock(asUTC + shift, timeZone)}Z`) - (asUTC + shift)));
  return [...offsets].map((offset) => asUTC - offset).filter((moment) => wallClock(moment, timeZone) === local).sort((one, other) => one - other);
}

/** The zones in which this local time does not exist, because the clocks are set forward. */
export function gaps(local, zones) { return zones.filter((each) => isZone(each) && momentsOf(local, each).length === 0); }

/** Of these zones, the ones whose clock shows the local time at a moment. */
export function zonesAt(moment, local, zones) { return zones.filter((each) => isZone(each) && wallClock(moment, each) === local); }

function isZone(name) {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
