// Files that are being uploaded, one after the other. They belong to no page, so that the reader can go on working meanwhile.

import m from "../m.js";
import { t } from "../i18n.js";
import { APIError, ServerUnavailable, listeners } from "../api.js";
import { connection } from "../connection.js";
import { inReadersLanguage } from "../messages.js";
import { inApp, session } from "../session.js";
import { sizeText } from "./words.js";

/** Milliseconds between two drawings of the progress. */
const rhythm = 200;
/** Bytes that the API takes of each kind. */
const limits = { image: 10_000_000, audio: 5_000_000, video: 50_000_000 };

/** {id, app, path, file, state, sent, stored, error}: `state` is waiting, sending, done, known (the app had the file) or failed. */
let entries = [];
let last = 0;
let current = null;
/** Called with the stored file. The page that shows the library sets it. */
export const onStored = { call() {} };

export function uploadsOfApp() { return entries.filter(({ app }) => app === session.app); }

export function upload(files) {
  const fresh = [...files].map((file) => ({ id: ++last, app: session.app, path: inApp("/media"), file, state: "waiting", sent: 0, stored: null, error: tooLarge(file) }));
  for (const entry of fresh) if (entry.error) entry.state = "failed";
  entries = [...entries, ...fresh];
  goOn();
}

/** The server ends a request that is too large, and the browser then does not tell its answer. */
function tooLarge({ size, type }) {
  const kind = type.split("/")[0];
  const limit = limits[kind] ?? limits.video;
  return size > limit ? new Error(t(kind in limits ? `mediaPage.tooLarge.${kind}` : "mediaPage.tooLarge.file", { size: sizeText(size), limit: sizeText(limit) })) : null;
}

/** Takes an entry off the list; an upload that runs is given up. */
export function dismiss(entry) {
  entries = entries.filter((each) => each !== entry);
  if (current?.entry === entry) current.request.abort();
}

export function repeat(entry) {
  Object.assign(entry, { state: "waiting", sent: 0, error: null });
  goOn();
}

const warn = (event) => event.preventDefault();

function goOn() {
  const entry = current ? null : entries.find(({ state }) => state === "waiting");
  if (!entry) return;
  const request = new XMLHttpRequest();
  current = { entry, request };
  entry.state = "sending";
  window.addEventListener("beforeunload", warn);
  request.open("POST", `${entry.path}?name=${encodeURIComponent(entry.file.name.slice(0, 200))}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.setRequestHeader("Accept", "application/json");
  let drawnAt = 0;
  request.upload.onprogress = ({ loaded }) => {
    entry.sent = loaded;
    if (Date.now() - drawnAt < rhythm) return;
    drawnAt = Date.now();
    m.redraw();
  };
  request.onload = () => read(request).then((stored) => end(stored), (error) => end(null, error));
  request.onerror = () => {
    connection.tell(false);
    end(null, new ServerUnavailable());
  };
  request.onabort = () => end(null, new ServerUnavailable());
  request.send(entry.file);
  m.redraw();
}

async function read({ status, responseText }) {
  let answer;
  try {
    answer = await inReadersLanguage(JSON.parse(responseText));
  } catch {
    throw new ServerUnavailable(t("error.cut"));
  }
  if (status === 401) listeners.ended(answer.detail);
  if ([429, 502, 503, 504].includes(status)) throw new ServerUnavailable(answer.detail);
  if (status >= 300) throw new APIError(status, answer);
  return { ...answer, isNew: status === 201 };
}

function end(stored, error = null) {
  const { entry } = current;
  current = null;
  window.removeEventListener("beforeunload", warn);
  Object.assign(entry, { stored, error, state: error ? "failed" : stored.isNew ? "done" : "known" });
  if (stored) onStored.call(stored);
  goOn();
  m.redraw();
}
