// Completes names and values from those that the app really has: segments, topics, campaigns, and what its devices
// have.

import m from "../m.js";
import { t } from "../i18n.js";
import { all, api } from "../api.js";
import { inApp, session } from "../session.js";
import { allWithArchive } from "../setup/archive.js";
import { merged, readValues, valuesOf } from "./device-values.js";
import { runTime, variantsOf } from "./sent-runs.js";

/** Devices that are looked at for what the list of values lacks. */
const sampled = 100;
/** Milliseconds after which they are loaded again. */
const freshForMs = 60_000;
/** The same for what devices have, which takes the server longer and changes less. */
const deviceFreshForMs = 600_000;
const cache = new Map();
const deviceCache = new Map();

const empty = () => ({
  isLoaded: false,
  segments: [],
  campaigns: [],
  topics: [],
  tags: [],
  attributes: {},
  fields: {},
  zones: [],
  names: { segments: {}, campaigns: {}, topics: {}, campaign: () => "…" },
});

/**
 * Returns the known values of the shown app immediately; the others come with a later drawing. `tags`, `attributes` and
 * `fields` are those of device-values.js, `zones` are the names of time zones.
 */
export function known() {
  const { app } = session;
  const entry = cache.get(app);
  if (!entry || Date.now() - entry.since > freshForMs) {
    const next = { since: Date.now(), values: entry?.values ?? empty() };
    cache.set(app, next);
    collect().then((values) => {
      next.values = values;
      m.redraw();
    });
  }
  return cache.get(app).values;
}

/**
 * Resolves to what `readValues` returns, or to null for those who may not read devices. Loaded once for each app; a
 * failure is tried again.
 */
export function deviceValues() {
  if (!session.may("devices:read")) return Promise.resolve(null);
  const { app } = session;
  const entry = deviceCache.get(app);
  if (entry && Date.now() - entry.since < deviceFreshForMs) return entry.values;
  const values = api.get(inApp("/device-values"), {}, { timeoutMs: 30_000 }).then(readValues);
  deviceCache.set(app, { since: Date.now(), values });
  values.catch(() => deviceCache.delete(app));
  return values;
}

/** Forgets them, after a segment was saved. */
export function forgetKnown() {
  const entry = cache.get(session.app);
  if (entry) entry.since = 0;
}

/** Each list for itself: without one of them the others still help. A list that was not loaded is in `failed`. */
async function collect() {
  const failed = [];
  const attempt = (name, work, instead = []) =>
    work.catch(() => {
      failed.push(name);
      return instead;
    });
  const [segments, campaigns, topics, values, newest] = await Promise.all([
    attempt("segments", all(inApp("/segments"))),
    attempt("campaigns", api.get(inApp("/campaigns"), { limit: 200, sort: "newest" }).then(({ data }) => data)),
    attempt("topics", allWithArchive(inApp("/topics"))),
    attempt("devices", deviceValues(), null),
    attempt(
      "devices",
      session.may("devices:read")
        ? api.get(inApp("/devices"), { limit: sampled }).then(({ data }) => valuesOf(data))
        : Promise.resolve(null),
      null,
    ),
  ]);
  const byId = (records, id = "id") => Object.fromEntries(records.map((each) => [each[id], each.name]));
  const had = merged(values, newest);
  return {
    ...had,
    isLoaded: true,
    failed,
    segments,
    campaigns,
    topics,
    zones: (had.fields.time_zone ?? []).map(({ value }) => value),
    names: named({ segments: byId(segments), campaigns: byId(campaigns), topics: byId(topics, "key") }),
  };
}

/** Names by id. `campaign(id)` is never the id: a campaign that is not in the list is asked for once. */
function named(names) {
  const asked = new Set();
  const ask = async (id) => {
    asked.add(id);
    try {
      names.campaigns[id] = (await api.get(inApp(`/campaigns/${id}`))).name;
      m.redraw();
    } catch {
      // It was deleted: it goes on without a name.
    }
  };
  names.campaign = (id) => {
    if (!names.campaigns[id] && !asked.has(id)) ask(id);
    return names.campaigns[id] ?? t("audience.deletedCampaign");
  };
  names.runTime = runTime;
  names.variant = (run, variant) => variantsOf(run).find(({ value }) => value === String(variant))?.label;
  return names;
}
