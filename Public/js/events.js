// Server-sent events (HTML Standard §9.2), read with fetch because EventSource does not report why it failed.

import { ServerUnavailable } from "./api.js";
import { t } from "./i18n.js";

/** Milliseconds. The server sends comments regularly, so after this time without data the connection is dead. */
const silenceLimitMs = 45_000;
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** The maximum size of an event in characters. */
const eventLimit = 1_000_000;

/** Parses events from text in pieces of any size. */
export class EventParser {
  #rest = "";
  #type = "";
  #data = [];

  /** Returns the events that this piece completes: [{type, data}]. */
  feed(text) {
    this.#rest += text;
    if (this.#rest.length > eventLimit) throw new ServerUnavailable(t("error.cut"));
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
 * Calls `onEvent` for each event until an event "end", one after the other, and reconnects after interruptions.
 * `open(signal)` returns a response; errors other than ServerUnavailable are final. `onAway(error, delay)` is called
 * for interruptions, and with null for the error when events arrive again. A connection without data for `silence`
 * milliseconds is dead.
 */
export async function follow(open, { onEvent, onAway, signal, silence = silenceLimitMs }) {
  let failures = 0;
  while (!signal.aborted) {
    let interruption = new ServerUnavailable(t("error.cut"));
    try {
      for await (const event of read(open, signal, silence)) {
        failures = 0;
        onAway(null, 0);
        await onEvent(event);
        if (event.type === "end") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerUnavailable)) throw error;
      interruption = error;
    }
    const delay = backoff(failures++, interruption.retryAfter);
    if (failures > 1) onAway(interruption, delay);
    await pause(delay, signal);
  }
}

async function* read(open, signal, silence) {
  const watchdog = new AbortController();
  let timer = setTimeout(() => watchdog.abort(), silence);
  try {
    const response = await open(AbortSignal.any([signal, watchdog.signal]));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    while (true) {
      const { value, done } = await reader.read().catch(() => {
        throw new ServerUnavailable(t("error.cut"));
      });
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => watchdog.abort(), silence);
      yield* parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
    watchdog.abort();
  }
}

/** Returns an exponential delay in milliseconds, with jitter so that pages do not all reconnect simultaneously. */
export function backoff(failures, retryAfter = 0) {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
  return Math.max(delay * (0.75 + Math.random() / 2), retryAfter * 1000);
}

/** Resolves early, without an error, when `signal` is aborted. */
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
