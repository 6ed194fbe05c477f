// Files that are being uploaded, one after the other. They belong to no page, so that the reader can go on working
// meanwhile.

import m from "../m.js";
import { t } from "../i18n.js";
import { sendFile } from "../send-file.js";
import { inApp, session } from "../session.js";
import { sizeText } from "./words.js";

/** Bytes that the API takes of each kind. */
const limits = { image: 10_000_000, audio: 5_000_000, video: 50_000_000 };

/**
 * {id, app, path, file, abort, state, sent, stored, error}: `state` is waiting, sending, done, known (the app had the
 * file) or failed.
 */
let entries = [];
let last = 0;
let isSending = false;
/** Called with the stored file. The page that shows the library sets it. */
export const onStored = { call() {} };

export function uploadsOfApp() {
  return entries.filter(({ app }) => app === session.app);
}

export function upload(files) {
  const fresh = [...files].map((file) => ({
    id: ++last,
    app: session.app,
    path: inApp("/media"),
    file,
    abort: new AbortController(),
    state: "waiting",
    sent: 0,
    stored: null,
    error: tooLarge(file),
  }));
  for (const entry of fresh) if (entry.error) entry.state = "failed";
  entries = [...entries, ...fresh];
  sendNext();
}

/** The server ends a request that is too large, and the browser then does not give access to its answer. */
function tooLarge({ size, type }) {
  const kind = type.split("/")[0];
  const limit = limits[kind] ?? limits.video;
  return size > limit
    ? new Error(
      t(kind in limits ? `mediaPage.tooLarge.${kind}` : "mediaPage.tooLarge.file", {
        size: sizeText(size),
        limit: sizeText(limit),
      }),
    )
    : null;
}

/** Takes an entry off the list; an upload that runs is given up. */
export function dismiss(entry) {
  entries = entries.filter((each) => each !== entry);
  entry.abort.abort();
}

session.endListeners.add(() => entries.forEach(dismiss));

export function repeat(entry) {
  Object.assign(entry, { state: "waiting", sent: 0, error: null });
  sendNext();
}

async function sendNext() {
  const entry = isSending ? null : entries.find(({ state }) => state === "waiting");
  if (!entry) return;
  isSending = true;
  entry.state = "sending";
  m.redraw();
  try {
    const { status, answer } = await sendFile(
      `${entry.path}?name=${encodeURIComponent(entry.file.name.slice(0, 200))}`,
      entry.file,
      {
        type: "application/octet-stream",
        signal: entry.abort.signal,
        onprogress: (sent) => {
          entry.sent = sent;
        },
      },
    );
    Object.assign(entry, { stored: answer, state: status === 201 ? "done" : "known" });
    onStored.call(answer);
  } catch (error) {
    Object.assign(entry, { error, state: "failed" });
  }
  isSending = false;
  m.redraw();
  sendNext();
}
