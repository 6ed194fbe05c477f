// The runs of a list that send at the moment, each by its event stream. A browser has six connections to a server, so
// only a few are followed, and the list's polling shows the others.

import { send } from "../api.js";
import { follow } from "../events.js";
import { translateMessages } from "../messages.js";
import { inApp } from "../session.js";

const limit = 3;

/** `onRun(run)` is called for each event (with `rate`), `onEnd()` when a run has ended. */
export function liveRuns({ onRun, onEnd }) {
  const followed = new Map();

  async function begin(id) {
    const abort = new AbortController();
    followed.set(id, { abort, run: null });
    try {
      await follow(
        (signal) => send("GET", inApp(`/runs/${id}/progress`), { accept: "text/event-stream", timeoutMs: 0, signal }),
        {
          signal: abort.signal,
          onAway() {},
          async onEvent({ type, data }) {
            const run = await translateMessages(JSON.parse(data));
            if (abort.signal.aborted) return;
            followed.get(id).run = run;
            onRun(run);
            if (type === "end") onEnd();
          },
        },
      );
    } catch {
      // It was deleted, or may not be seen any more: the list's next poll tells.
    }
  }

  return {
    /** Follows the first few of these runs, and no others. */
    choose(ids) {
      const wanted = ids.slice(0, limit);
      for (const [id, { abort }] of followed) {
        if (wanted.includes(id)) continue;
        abort.abort();
        followed.delete(id);
      }
      for (const id of wanted) if (!followed.has(id)) begin(id);
    },
    /** The newest event of a run, or null. */
    latest: (id) => followed.get(id)?.run ?? null,
    end() {
      this.choose([]);
    },
  };
}
