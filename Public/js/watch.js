// Follows the newest run of one campaign until it is over.

import { pause, follow, backoff } from "./stream.js";
import { ServerAway } from "./api.js";

/** Milliseconds between two looks: for a run that is about to be made, for its last word, and for its reasons. */
const soon = 700;
const reasonsInterval = 2_000;

/**
 * `show` has run(run, rate), reasons(reasons) and away(error, delay). What is final, such as a key that was revoked, is
 * thrown. Ends when the run is over, when there is none to wait for (`isExpected`), or with `signal`.
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
  const readReasons = async () => {
    const asked = run.finished_at;
    const { reasons } = await again(() => api.run(app, id)) ?? {};
    // An answer from before the end may come after the stream's last word.
    if (reasons && asked === run.finished_at && !signal.aborted) show.reasons(reasons);
  };
  await readReasons();
  if (run.finished_at || signal.aborted) return;
  const reasons = reasonsReader(readReasons);

  await follow((signal) => api.progress(app, id, signal), {
    signal,
    onAway: show.away,
    onEvent: ({ type, data }) => {
      if (signal.aborted) return;
      run = JSON.parse(data);
      show.run(run, run.rate);
      if (type === "end") show.reasons(run.reasons);
      else reasons.wanted(run.rejected + run.suppressed + run.unknown);
    },
  }).finally(reasons.stop);
  // A cancelled run has its last outcome a moment before its recount.
  while (!run.finished_at && !signal.aborted) {
    await pause(soon, signal);
    run = await again(() => api.run(app, id)) ?? run;
    if (!signal.aborted) show.run(run);
  }
}

/** Reads the reasons after their sum has changed, but not each time. */
function reasonsReader(read) {
  let timer = null;
  let known = -1;
  return {
    wanted(sum) {
      if (sum === known || timer !== null) return;
      known = sum;
      timer = setTimeout(() => {
        timer = null;
        read().catch(() => {}); // The stream meets the same refusal, and it is the one that speaks.
      }, reasonsInterval);
    },
    stop: () => clearTimeout(timer),
  };
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
