// Follows the newest run of one campaign.

import { pause, follow, backoff } from "./stream.js";
import { ServerAway } from "./api.js";

/** Milliseconds between two looks: for a run that is about to be made, and for the last word of one. */
const soon = 700;
/** The same for a run that is over: phones go on telling what became of its pushes. */
const later = 5_000;

/**
 * `show` has run(run, rate) and away(error, delay). What is final, such as a key that was revoked, is thrown. Ends when
 * there is no run to wait for (`isExpected`), or with `signal`.
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
    // A cancelled run has its last outcome a moment before its recount.
    await pause(run.finished_at ? later : soon, signal);
    if (!document.hidden && !signal.aborted) await look();
  }
}

/** Undefined only when `signal` is aborted. */
async function untilAnswered(request, show, signal) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const answer = await request();
      if (failures > 0) show.away(null, 0);
      return answer;
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      const delay = backoff(failures, error.retryAfter);
      if (!signal.aborted) show.away(error, delay);
      await pause(delay, signal);
    }
  }
}
