// The numbers of devices of segments, for a list of them that is open. A count may scan many devices, so none is
// asked for before somebody looks at it.

import m from "../m.js";
import { api } from "../api.js";
import { inApp } from "../session.js";

/** Counts at the same time. */
const mostAtOnce = 2;
const timeoutMs = 30_000;

/** `of(id)` is the API's count, undefined while it is on its way and null if it failed; `want(ids)` asks for them. */
export function segmentCounts() {
  const counts = new Map(), asked = new Set(), queue = [];
  const abort = new AbortController(), { signal } = abort;
  let workers = 0;

  async function work() {
    workers += 1;
    while (queue.length && !signal.aborted) {
      const id = queue.shift();
      const count = await api.get(inApp(`/segments/${id}/count`), {}, { signal, timeoutMs }).catch(() => null);
      if (signal.aborted) break;
      counts.set(id, count);
      m.redraw();
    }
    workers -= 1;
  }
  return {
    of: (id) => counts.get(id),
    want(ids) {
      for (const id of ids) {
        if (asked.has(id)) continue;
        asked.add(id);
        queue.push(id);
        if (workers < mostAtOnce) work();
      }
    },
    end: () => abort.abort(),
  };
}
