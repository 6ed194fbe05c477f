// The reachability of the server, as the last request found it.

import m from "./m.js";

const listeners = new Set();
/** Milliseconds between two looks while it can't be reached. */
const pollIntervalMs = 3_000;

export const connection = {
  isOffline: false,
  setReachable(isReachable) {
    if (connection.isOffline === !isReachable) return;
    connection.isOffline = !isReachable;
    m.redraw();
    if (connection.isOffline) poll();
    else for (const listener of listeners) listener();
  },
  /** `listener` is called whenever the server can be reached again. Returns a function that ends it. */
  onReturn(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Asks the server, after something else failed. */
  async check() {
    connection.setReachable(await answers());
  },
};

async function answers() {
  try {
    await fetch("/healthz", { cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

/** Asks until the server answers, so that the page says so by itself. */
async function poll() {
  while (connection.isOffline) {
    await new Promise((done) => setTimeout(done, pollIntervalMs));
    if (await answers()) connection.setReachable(true);
  }
}

window.addEventListener("offline", () => connection.setReachable(false));
