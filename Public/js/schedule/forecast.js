// The forecast of a saved draft: loaded again whenever a new version is on the server.

import { api } from "../api.js";
import m from "../m.js";
import { inApp } from "../session.js";

/** A forecast may scan many devices. */
const limit = 30_000;

/**
 * `forecast.take(draft)` in each drawing keeps it up to date. Has `data`, `error`, `loadedAt`, `reload()`; `isOld` while the
 * draft has changes that `data` does not know.
 */
export function newForecast() {
  let wanted = null;
  let abort;
  let path;
  const forecast = {
    data: undefined, error: null, isOld: true, loadedAt: null, version: null,
    take(draft) {
      const { id, version } = draft.value;
      path = inApp(`/campaigns/${id}/forecast`);
      forecast.isOld = !draft.isSaved || forecast.version !== version;
      if (wanted === version) return;
      wanted = version;
      forecast.reload();
    },
    async reload() {
      abort?.abort();
      const own = (abort = new AbortController());
      const version = wanted;
      try {
        const data = await api.get(path, {}, { signal: own.signal, limit });
        Object.assign(forecast, { data, version, error: null, loadedAt: Date.now() });
      } catch (error) {
        if (own.signal.aborted) return;
        forecast.error = error;
      }
      m.redraw();
    },
    end() { abort?.abort(); },
  };
  return forecast;
}
