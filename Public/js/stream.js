// Server-sent events (HTML Standard §9.2), read with fetch because EventSource cannot send a key.

import { ServerAway } from "./api.js";

/** Milliseconds. The server sends a comment now and then, so a longer silence is a dead connection. */
const silenceLimit = 45_000;
const firstDelay = 500;
const longestDelay = 15_000;
/** Characters of an event. */
const eventLimit = 1_000_000;

/** Text in pieces of any size becomes events. */
export class EventParser {
  #rest = "";
  #type = "";
  #data = [];

  /** The events that this piece completes: [{type, data}]. */
  feed(text) {
    this.#rest += text;
    if (this.#rest.length > eventLimit) throw new ServerAway("The server sent an event that is too long.");
    const events = [];
    // A \r at the end may be half of a \r\n.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (this.#data.length > 0) events.push({ type: this.#type || "message", data: this.#data.join("\n") });
        this.#type = "";
        this.#data = [];
        continue;
      }
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "event") this.#type = value;
      if (field === "data") this.#data.push(value);
    }
    return events;
  }
}

/**
 * Calls `onEvent` until an event "end" comes, and comes back after every interruption.
 * `open(signal)` answers with a stream; what it throws other than ServerAway is final. `onAway(error, delay)` is told
 * of each interruption, with null for the error when events flow again.
 */
export async function follow(open, { onEvent, onAway, signal }) {
  let failures = 0;
  while (!signal.aborted) {
    let interruption = new ServerAway("The connection broke off.");
    try {
      for await (const event of read(open, signal)) {
        failures = 0;
        onAway(null, 0);
        onEvent(event);
        if (event.type === "end") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerAway)) throw error;
      interruption = error;
    }
    const delay = backoff(failures++, interruption.retryAfter);
    if (failures > 1) onAway(interruption, delay);
    await pause(delay, signal);
  }
}

async function* read(open, signal) {
  const watchdog = new AbortController();
  let timer = setTimeout(() => watchdog.abort(), silenceLimit);
  try {
    const response = await open(AbortSignal.any([signal, watchdog.signal]));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    while (true) {
      const { value, done } = await reader.read().catch(() => { throw new ServerAway("The connection broke off."); });
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => watchdog.abort(), silenceLimit);
      yield* parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
    watchdog.abort();
  }
}

/** Milliseconds: doubling, with some chance in it so that many pages do not come back at once. */
export function backoff(failures, retryAfter = 0) {
  const delay = Math.min(longestDelay, firstDelay * 2 ** failures);
  return Math.max(delay * (0.75 + Math.random() / 2), retryAfter * 1000);
}

/** Ends early, without an error, when `signal` is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
