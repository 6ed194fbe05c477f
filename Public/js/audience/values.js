// Completes names and values from those that the app really has. The API gives segments, topics and campaigns; tags,
// attributes and the values of fields are those of the newest devices.

import m from "../m.js";
import { api, all } from "../api.js";
import { inApp, session } from "../session.js";

const sampled = 200;
/** Milliseconds after which they are loaded again. */
const freshness = 60_000;
const cache = new Map();

const empty = () => ({ isLoaded: false, segments: [], campaigns: [], topics: [], tags: [], attributes: {}, fields: {}, names: { segments: {}, campaigns: {}, topics: {} } });

/**
 * Known values of the shown app, at once; what is loading comes with a later drawing. `tags` and `fields.locale` are
 * texts, the most frequent first; `attributes` maps a path to {kind, values}.
 */
export function known() {
  const { app } = session;
  const entry = cache.get(app);
  if (!entry || Date.now() - entry.since > freshness) {
    const next = { since: Date.now(), values: entry?.values ?? empty() };
    cache.set(app, next);
    collect().then((values) => {
      next.values = values;
      m.redraw();
    });
  }
  return cache.get(app).values;
}

/** Forgets them, after a segment was saved. */
export function forgetKnown() {
  const entry = cache.get(session.app);
  if (entry) entry.since = 0;
}

/** Each list for itself: without one of them the others still help. A list that was not loaded is in `failed`. */
async function collect() {
  const failed = [];
  const attempt = (name, work) => work.catch(() => {
    failed.push(name);
    return [];
  });
  const [segments, campaigns, topics, devices] = await Promise.all([
    attempt("segments", all(inApp("/segments"))),
    attempt("campaigns", api.get(inApp("/campaigns"), { limit: 200 }).then(({ data }) => data)),
    attempt("topics", all(inApp("/topics"))),
    attempt("devices", session.may("devices:read") ? api.get(inApp("/devices"), { limit: sampled }).then(({ data }) => data) : Promise.resolve([])),
  ]);
  const byId = (records, id = "id") => Object.fromEntries(records.map((each) => [each[id], each.name]));
  return {
    ...fromDevices(devices), isLoaded: true, failed, segments, campaigns, topics,
    names: { segments: byId(segments), campaigns: byId(campaigns), topics: byId(topics, "key") },
  };
}

/** Tags, attributes and values of fields of these devices, the most frequent first. */
export function fromDevices(devices) {
  const tags = [];
  const seen = { locale: [], language: [], time_zone: [], app_version: [], os_version: [], model: [], user_id: [] };
  const attributes = {};
  for (const device of devices) {
    tags.push(...device.tags, ...(device.person?.tags ?? []));
    for (const name of Object.keys(seen)) if (device[name]) seen[name].push(device[name]);
    if (device.locale) seen.language.push(device.locale.split("-")[0].toLowerCase());
    for (const [path, value] of [...leaves(device.attributes), ...leaves(device.person?.attributes)]) {
      const entry = (attributes[path] ??= { kind: { number: "number", boolean: "boolean" }[typeof value] ?? "text", values: [], count: 0 });
      entry.values.push(value);
      entry.count += 1;
    }
  }
  for (const entry of Object.values(attributes)) entry.values = frequent(entry.values);
  return { tags: frequent(tags), attributes, fields: Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, frequent(values)])) };
}

function* leaves(object, prefix = "") {
  for (const [name, value] of Object.entries(object ?? {})) {
    if (value && typeof value === "object" && !Array.isArray(value)) yield* leaves(value, `${prefix}${name}.`);
    else if (!Array.isArray(value) && value !== null) yield [prefix + name, value];
  }
}

function frequent(values, most = 100) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, most).map(([value]) => value);
}
