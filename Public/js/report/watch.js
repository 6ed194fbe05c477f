// Follows one run: by its event stream while it is sent, and then by looking now and then, because phones tell of opens
// later.

import m from "../m.js";
import { api, send, ServerUnavailable } from "../api.js";
import { follow, pause } from "../events.js";
import { translateMessages } from "../messages.js";
import { inApp } from "../session.js";
import { isOver } from "../campaigns/run.js";

/** Milliseconds between two looks at a run that is over: shortly after its end, and later. */
const verifyingPollMs = 1_000, settlingPollMs = 5_000, idlePollMs = 30_000;
/** Milliseconds after the end in which most opens arrive. */
const settlingMs = 600_000;
/** The number of rates that are kept for the chart. */
const limit = 600;
/** Milliseconds of an interruption that is not worth telling. */
const disconnectedAfterMs = 3_000;

/**
 * Begins with `run`. Has `run`, `samples` ([{time, rate}], oldest first), `lastAt`, `isAway` (no numbers for a while),
 * `error` (final). `onchange()` is called when the run is paused, ends, or goes on; set `run` with `take`.
 */
export function watchRun(run, { onchange = () => {} } = {}) {
  const abort = new AbortController();
  const watch = {
    run,
    samples: [],
    lastAt: Date.now(),
    awaySince: null,
    error: null,
    get isAway() {
      return watch.awaySince !== null && Date.now() - watch.awaySince > disconnectedAfterMs;
    },
    take(next) {
      if (next.version < watch.run.version) return;
      const before = watch.run.state;
      watch.run = { ...watch.run, ...next };
      if (next.rate !== undefined) {
        watch.samples.push({ time: Date.now(), rate: next.rate });
        if (watch.samples.length > limit) watch.samples.shift();
      }
      Object.assign(watch, { lastAt: Date.now(), awaySince: null });
      if (watch.run.state !== before) onchange();
      m.redraw();
    },
    end: () => abort.abort(),
  };
  const goAway = () => {
    watch.awaySince ??= Date.now();
    setTimeout(m.redraw, disconnectedAfterMs + 100);
  };

  async function poll() {
    try {
      watch.take(await api.get(inApp(`/runs/${run.id}`), {}, { signal: abort.signal }));
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!(error instanceof ServerUnavailable)) throw error;
      goAway();
    }
  }

  (async () => {
    try {
      if (!isOver(watch.run)) {
        // A new stream has no rate to tell yet: its first 0 is no measurement.
        let isNew = true;
        await follow(
          (signal) =>
            (isNew = true) &&
            send("GET", inApp(`/runs/${run.id}/progress`), { accept: "text/event-stream", timeoutMs: 0, signal }),
          {
            signal: abort.signal,
            onAway: (error) => {
              if (error) goAway();
            },
            onEvent: async ({ data }) => {
              const next = await translateMessages(JSON.parse(data));
              if (abort.signal.aborted) return;
              if (isNew && next.rate === 0) delete next.rate;
              isNew = false;
              watch.take(next);
            },
          },
        );
      }
      while (!abort.signal.aborted) {
        const age = Date.now() - Date.parse(watch.run.finished_at ?? new Date().toISOString());
        await pause(
          !watch.run.verified_at && age < settlingMs ? verifyingPollMs : age < settlingMs ? settlingPollMs : idlePollMs,
          abort.signal,
        );
        if (!abort.signal.aborted && !document.hidden) await poll();
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      watch.error = error;
      m.redraw();
    }
  })();
  return watch;
}
