// The filter of a run's recipients that the address describes, and the number of matches. Does not use the DOM or the
// network.

/** Properties of the devices when the push was sent, by which statistics have groups. */
export const properties = ["locale", "os_version", "app_version"];
/** The value in the address for a property that was not known, which the API writes as an empty text. */
export const notKnown = "none";
/** Everything that narrows the list, beside the outcome. */
const narrowing = ["reason", "variant", "deferred", "engaged", "opened", "event", "due_at", ...properties, "q"];
export const filters = ["kind", ...narrowing];

/** The parameters of the API for the list and its export. */
export function parameters(query) {
  const { kind, reason, variant, deferred, engaged, opened, event, due_at: dueAt, q } = query;
  const then = Object.fromEntries(properties.map((name) => [name, query[name] === notKnown ? "" : query[name]]));
  return { outcome: kind, reason, variant, deferred, engaged, opened, event, due_at: dueAt, search: q, ...then };
}

/** A path with parameters; an empty one has a meaning, too. */
export function withParameters(path, values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/**
 * The number of recipients that match, if known counts tell it; else null. `groups` are those of statistics, by
 * property.
 */
export function countOf(query, { run, groups = {}, dueTimes = [] }) {
  const { kind } = query;
  const narrowed = narrowing.filter((name) => query[name]);
  if (narrowed.length > 1) return null;
  const [one] = narrowed;
  const inThem = (counts) => counts?.[kind ?? "targeted"] ?? null;
  if (!one) return inThem(run);
  if (one === "reason") {
    return run.reasons.find((each) => each.reason === query.reason && each.outcome === kind)?.count ?? null;
  }
  if (one === "variant") return inThem(run.variants?.find((each) => String(each.variant) === query.variant));
  if (one === "due_at") return inThem(dueTimes.find((each) => each.due_at === query.due_at));
  // Statistics have a run when it has finished.
  if (properties.includes(one)) {
    return run.finished_at
      ? inThem(groups[one]?.find(({ value }) => value === (query[one] === notKnown ? "" : query[one])))
      : null;
  }
  if (kind) return null;
  if (one === "deferred") return run.deferred;
  return ["engaged", "opened"].includes(one) && query[one] === "true" ? run[one] : null;
}
