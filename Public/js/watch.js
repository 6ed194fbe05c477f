// Follows the newest run of one campaign.

import { pause, follow, backoff } from "./stream.js";
import { ServerUnavailable } from "./api.js";

/** The polling interval in milliseconds before a run exists and until it has finished. */
const soon = 700;
/** The polling interval of a finished run, for which devices still report deliveries and opens. */
const later = 5_000;

/**
 * Calls `show.run(run, rate)` and `show.away(error, delay)`. Throws final errors, such as a revoked key. Ends when there
 * is no run and none is expected (`isExpected`), or with `signal`.
 */
export async function watch(api, app, campaign, show, isExpected, signal) {
  const again = (request) => untilAnswered(request, show, signal);

  let run = await again(() => api.latestRun(app, campaign));
  while (!run && isExpected() && !signal.aborted) {
    await pause(soon, signal);
    run = await again(() => api.latestRun(app, campaign));
  }
  if (signal.aborted) return;
  show.run(run);
  if (!run) return;

  const id = run.id;
  const look = async () => {
    run = await again(() => api.run(app, id)) ?? run;
    if (!signal.aborted) show.run(run);
  };
  if (!run.finished_at) {
    await follow((signal) => api.progress(app, id, signal), {
      signal,
      onAway: show.away,
      onEvent: ({ data }) => {
        if (signal.aborted) return;
        run = JSON.parse(data);
        show.run(run, run.rate);
      },
    });
  } else {
    await look();
  }
  while (!signal.aborted) {
    // The last outcome of a cancelled run is recorded shortly before its recount.
    await pause(run.finished_at ? later : soon, signal);
    if (!document.hidden && !signal.aborted) await look();
  }
}

/** Retries until the server answers. Returns undefined only when `signal` is aborted. */
async function untilAnswered(request, show, signal) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const answer = await request();
      if (failures > 0) show.away(null, 0);
      return answer;
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error;
      const delay = backoff(failures, error.retryAfter);
      if (!signal.aborted) show.away(error, delay);
      await pause(delay, signal);
    }
  }
}
