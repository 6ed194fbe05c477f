// Sends a file with XMLHttpRequest, which reports the progress; fetch does not. The browser reads the file piece by
// piece.

import m from "./m.js";
import { t } from "./i18n.js";
import { failure, listeners, ServerUnavailable, sessionGeneration } from "./api.js";
import { translateMessages } from "./messages.js";

/** Milliseconds between two drawings of the progress. */
const progressIntervalMs = 250;

const warn = (event) => event.preventDefault();

/**
 * Posts a file; `onprogress(bytes)` reports how much of it was sent. Resolves to {status, answer}, and fails like
 * `send`. While it runs, the browser asks before the page is closed.
 */
export async function sendFile(path, file, { type, signal, onprogress }) {
  const began = sessionGeneration;
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.setRequestHeader("Content-Type", type);
  request.setRequestHeader("Accept", "application/json");
  let drawnAt = 0;
  request.upload.onprogress = ({ loaded }) => {
    onprogress(loaded);
    if (Date.now() - drawnAt < progressIntervalMs) return;
    drawnAt = Date.now();
    m.redraw();
  };
  signal.addEventListener("abort", () => request.abort());
  window.addEventListener("beforeunload", warn);
  await new Promise((done) => {
    request.onloadend = done;
    request.send(file);
  });
  window.removeEventListener("beforeunload", warn);
  signal.throwIfAborted();
  const { status } = request;
  listeners.reachable(status > 0);
  if (!status) throw new ServerUnavailable(t("error.lost"));
  const answer = await translateMessages(parsed(request.responseText));
  if (status >= 300) throw failure(path, began, status, answer ?? {}, request.getResponseHeader("Retry-After"));
  if (!answer) throw new ServerUnavailable(t("error.cut"));
  return { status, answer };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
