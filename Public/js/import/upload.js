// The import that runs. It belongs to no page, so that the reader can go on working while a large file is sent.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, query, ServerUnavailable } from "../api.js";
import { sendFile } from "../send-file.js";
import { inApp, session } from "../session.js";
import { toast } from "../ui/toast.js";
import { unknownType } from "./sample.js";

/** Milliseconds between two questions how far the import has come. */
const pollIntervalMs = 700;

const nothing = {
  state: "none",
  app: null,
  file: null,
  sample: null,
  options: null,
  sent: 0,
  received: null,
  report: null,
  error: null,
};

/**
 * `state` is none, sending, done or failed. `sent` and `file.size` are bytes; `received` is what the server has read
 * and stored, or null if it does not say; `report` is the server's.
 */
export const upload = { ...nothing, startedAt: null, endedAt: null };

let abort = null;

/** Sends a file. `options` are the parameters of the route. */
export async function startUpload(file, sample, options) {
  Object.assign(upload, nothing, {
    state: "sending",
    app: session.app,
    file,
    sample,
    options,
    startedAt: Date.now(),
    endedAt: null,
  });
  const own = (abort = new AbortController());
  const name = crypto.randomUUID();
  const path = inApp("/devices/import");
  const asking = setInterval(() => ask(`${path}/${name}/progress`, own), pollIntervalMs);
  let result;
  try {
    const { answer } = await sendFile(path + query({ ...options, import: name }), file, {
      type: unknownType,
      signal: own.signal,
      onprogress: (sent) => {
        upload.sent = sent;
      },
    });
    result = { state: "done", report: answer };
  } catch (error) {
    result = { state: "failed", error: own.signal.aborted ? new ServerUnavailable(t("import.stopped")) : error };
  }
  clearInterval(asking);
  if (own !== abort) return;
  Object.assign(upload, { endedAt: Date.now(), ...result });
  if (upload.report && !location.pathname.endsWith("/devices/import")) toastReport(file.name, upload.report);
  m.redraw();
}

function toastReport(name, { stored, failed }) {
  toast(t("import.doneToast", { name, stored, failed }));
}

/** A question that fails changes nothing: the next one may not, and the upload reports its own failure. */
async function ask(path, own) {
  try {
    const answer = await api.get(path, {}, { signal: own.signal });
    if (own === abort && upload.state === "sending" && answer.is_running) upload.received = answer;
    m.redraw();
  } catch (error) {
    if (!(error instanceof ServerUnavailable) && !own.signal.aborted) upload.received = null;
  }
}

/** Lines that the server has stored stay stored. */
export function stopUpload() {
  abort?.abort();
}

export function forgetUpload() {
  stopUpload();
  abort = null;
  Object.assign(upload, nothing);
}

session.endListeners.add(forgetUpload);
