// The reachability of the server, as the last request found it.

import m from "./m.js";

/** Milliseconds between two looks while it can't be reached. */
const pause = 3_000;

export const connection = {
  isOffline: false,
  tell(isReachable) {
    if (connection.isOffline === !isReachable) return;
    connection.isOffline = !isReachable;
    m.redraw();
    if (connection.isOffline) look();
  },
};

/** Asks until the server answers, so that the page says so by itself. */
async function look() {
  while (connection.isOffline) {
    await new Promise((done) => setTimeout(done, pause));
    try {
      await fetch("/healthz", { cache: "no-store" });
      connection.tell(true);
    } catch {
      // Still away.
    }
  }
}

window.addEventListener("offline", () => connection.tell(false));
