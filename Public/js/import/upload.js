// The import that runs. It belongs to no page, so that the reader can go on working while a large file is sent.

import m from "../m.js";
import { t } from "../i18n.js";
import { APIError, ServerUnavailable, listeners } from "../api.js";
import { inReadersLanguage } from "../messages.js";
import { connection } from "../connection.js";
import { inApp, session } from "../session.js";
import { toast } from "../ui/toast.js";
import { types } from "./sample.js";

/** Milliseconds between two drawings of the progress. */
const rhythm = 250;

/** `state` is none, sending, done or failed. `sent` and `file.size` are bytes; `report` is the server's. */
export const upload = { state: "none", app: null, file: null, sample: null, sent: 0, startedAt: null, endedAt: null, report: null, error: null };

let request = null;
const warn = (event) => event.preventDefault();

/**
 * Sends a file. The server stores while it reads, and takes no more than it can store, so the bytes that were sent are the
 * progress. XMLHttpRequest tells them; fetch does not. The browser reads the file piece by piece.
 */
export function startUpload(file, sample) {
  Object.assign(upload, { state: "sending", app: session.app, file, sample, sent: 0, startedAt: Date.now(), endedAt: null, report: null, error: null });
  window.addEventListener("beforeunload", warn);
  request = new XMLHttpRequest();
  request.open("POST", inApp("/devices/import"));
  request.setRequestHeader("Content-Type", types[sample.kind]);
  request.setRequestHeader("Accept", "application/json");
  let drawnAt = 0;
  request.upload.onprogress = ({ loaded }) => {
    upload.sent = loaded;
    if (Date.now() - drawnAt < rhythm) return;
    drawnAt = Date.now();
    m.redraw();
  };
  request.onload = () => finish(request);
  request.onerror = () => {
    connection.tell(false);
    end("failed", { error: new ServerUnavailable(t("import.lost")) });
  };
  request.onabort = () => end("failed", { error: new ServerUnavailable(t("import.stopped")) });
  request.send(file);
}

/** Lines that the server has stored stay stored. */
export function stopUpload() { request?.abort(); }

export function forgetUpload() { Object.assign(upload, { state: "none", app: null, file: null, sample: null, report: null, error: null }); }

async function finish({ status, responseText }) {
  let answer = null;
  try {
    answer = await inReadersLanguage(JSON.parse(responseText));
  } catch {
    return end("failed", { error: new ServerUnavailable(t(status < 300 ? "error.cut" : "import.lost")) });
  }
  if (status === 401) listeners.ended(answer.detail);
  if ([429, 502, 503, 504].includes(status)) return end("failed", { error: new ServerUnavailable(answer.detail) });
  if (status >= 300) return end("failed", { error: new APIError(status, answer) });
  end("done", { report: answer });
  if (!location.pathname.endsWith("/devices/import")) toast(t("import.doneToast", { name: upload.file.name, stored: answer.stored, failed: answer.failed }));
}

function end(state, result) {
  window.removeEventListener("beforeunload", warn);
  request = null;
  Object.assign(upload, { state, endedAt: Date.now(), ...result });
  m.redraw();
}
