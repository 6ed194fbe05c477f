// The import that runs. It belongs to no page, so that the reader can go on working while a large file is sent.

import m from "../m.js";
import { t } from "../i18n.js";
import { ServerUnavailable } from "../api.js";
import { sendFile } from "../send-file.js";
import { inApp, session } from "../session.js";
import { toast } from "../ui/toast.js";
import { types } from "./sample.js";

/** `state` is none, sending, done or failed. `sent` and `file.size` are bytes; `report` is the server's. */
export const upload = { state: "none", app: null, file: null, sample: null, sent: 0, startedAt: null, endedAt: null, report: null, error: null };

let abort = null;

/**
 * Sends a file. The server stores while it reads, and takes no more than it can store, so the bytes that were sent are
 * the progress.
 */
export async function startUpload(file, sample) {
  Object.assign(upload, { state: "sending", app: session.app, file, sample, sent: 0, startedAt: Date.now(), endedAt: null, report: null, error: null });
  const own = (abort = new AbortController());
  let result;
  try {
    const { answer } = await sendFile(inApp("/devices/import"), file, { type: types[sample.kind], signal: own.signal, onprogress: (sent) => { upload.sent = sent; } });
    result = { state: "done", report: answer };
  } catch (error) {
    result = { state: "failed", error: own.signal.aborted ? new ServerUnavailable(t("import.stopped")) : error };
  }
  if (own !== abort) return;
  Object.assign(upload, { endedAt: Date.now(), ...result });
  if (upload.report && !location.pathname.endsWith("/devices/import")) toast(t("import.doneToast", { name: file.name, stored: upload.report.stored, failed: upload.report.failed }));
  m.redraw();
}

/** Lines that the server has stored stay stored. */
export function stopUpload() { abort?.abort(); }

export function forgetUpload() {
  stopUpload();
  abort = null;
  Object.assign(upload, { state: "none", app: null, file: null, sample: null, report: null, error: null });
}

session.endListeners.add(forgetUpload);
