// The one count of a draft: how many devices get it, when, and why others do not. Audience, Schedule, Review and the
// launch read the same. It is counted once for each saved version, and again only when asked: never because a page is
// loaded.

import { api } from "../api.js";
import m from "../m.js";
import { inApp } from "../session.js";
import { countOf } from "./count-of.js";

/** A forecast may scan many devices. */
const timeoutMs = 30_000;
/** A number that moved by more is shown again before anything is sent. */
const drift = 0.01;

const forecasts = new WeakMap();

/** The forecast of a draft, which stays while its page is open. */
export function forecastOf(draft) {
  if (!forecasts.has(draft)) forecasts.set(draft, newForecast(draft));
  return forecasts.get(draft);
}

/**
 * `follow()` in each drawing keeps it up to date. Has `data` (of the API) and its `count` (of count-of.js), `error`,
 * `countedAt`; `isOld` while the draft has changes that `data` does not know, `isCounting`.
 */
function newForecast(draft) {
  const key = `belfry.count.${inApp(`/campaigns/${draft.value.id}`)}`;
  let wanted = null;
  let abort;
  const forecast = {
    data: undefined,
    version: null,
    error: null,
    isCounting: false,
    get count() {
      return forecast.data && countOf(forecast.data);
    },
    get countedAt() {
      return forecast.data?.counted_at ?? null;
    },
    get isOld() {
      return !draft.isSaved || forecast.version !== draft.value.version;
    },
    follow() {
      const { version } = draft.value;
      if (wanted === version) return;
      wanted = version;
      const kept = read(key, version);
      if (kept) take(kept);
      else forecast.countAgain();
    },
    async countAgain() {
      const version = draft.value.version;
      forecast.isCounting = true;
      try {
        const data = await ask();
        if (data) take({ version, data });
      } catch (error) {
        forecast.error = error;
      }
      forecast.isCounting = false;
      m.redraw();
    },
    /** Counts before a launch. Resolves to true if the number that is shown still holds; else the new one is shown. */
    async holds() {
      const before = forecast.count;
      const { version } = draft.value;
      const data = await ask();
      if (!data) return false;
      const isSame = Math.abs(data.sent - before.value) <= Math.max(before.value * drift, before.margin ?? 0);
      if (!isSame || forecast.version !== version) take({ version, data });
      return isSame;
    },
  };
  function take({ version, data }) {
    Object.assign(forecast, { version, data, error: null });
    sessionStorage.setItem(key, JSON.stringify({ version, data }));
  }
  /** Undefined if a later question took its place. */
  async function ask() {
    abort?.abort();
    const own = (abort = new AbortController());
    try {
      return await api.get(inApp(`/campaigns/${draft.value.id}/forecast`), {}, { signal: own.signal, timeoutMs });
    } catch (error) {
      if (own.signal.aborted) return undefined;
      throw error;
    }
  }
  return forecast;
}

/** {version, data} that this window has counted for a version, or null. */
function read(key, version) {
  const text = sessionStorage.getItem(key);
  const kept = text && JSON.parse(text);
  return kept?.version === version && kept.data?.counted_at ? kept : null;
}
