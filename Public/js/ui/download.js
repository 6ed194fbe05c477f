// Saves a file of the API where the reader chooses, with progress: it goes to the disk piece by piece, however large it
// is. In a browser that can't do that, the link downloads the file as any other.

import m from "../m.js";
import { bytes, share, t } from "../i18n.js";
import { send } from "../api.js";
import { Button } from "./button.js";
import { toast, toastError } from "./toast.js";

const newline = 10, quote = 34;
/** Milliseconds between two drawings of the progress. */
const redrawIntervalMs = 250;

let last = 0;

/**
 * Files that are being saved: {id, name, rows, size, total, abort}; `total` is about how many rows there will be, or
 * null.
 */
const files = new Set();

/** For `onclick` of a link to a file. */
export async function saveFile(event, href, name) {
  // The router would look for a page.
  event.stopPropagation();
  if (!window.showSaveFilePicker) return;
  event.preventDefault();
  let handle;
  try {
    handle = await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    // An abort means that the reader has closed the dialog.
    if (error.name !== "AbortError") toastError(error);
    return;
  }
  const abort = new AbortController();
  const file = { id: ++last, name, rows: 0, size: 0, total: null, abort };
  files.add(file);
  const timer = setInterval(m.redraw, redrawIntervalMs);
  m.redraw();
  try {
    await write(file, href, handle);
    toast(t("download.done", { name, count: file.rows }));
  } catch (error) {
    if (!abort.signal.aborted) toastError(error);
  } finally {
    clearInterval(timer);
    files.delete(file);
    m.redraw();
  }
}

async function write(file, href, handle) {
  const { signal } = file.abort;
  const response = await send("GET", href, { accept: "*/*", signal, timeoutMs: 0 });
  file.total = Number(response.headers.get("Belfry-Rows")) || null;
  const isCSV = response.headers.get("Content-Type")?.startsWith("text/csv");
  // The first line of CSV has the names of the columns.
  if (isCSV) file.rows = -1;
  let isQuoted = false;
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, next) {
        for (const byte of chunk) {
          // A field in quotes may have several lines.
          if (isCSV && byte === quote) isQuoted = !isQuoted;
          else if (byte === newline && !isQuoted) file.rows += 1;
        }
        file.size += chunk.length;
        next.enqueue(chunk);
      },
    }),
  );
  await counted.pipeTo(await handle.createWritable(), { signal });
}

/** Drawn once, in the shell. */
export const Downloads = {
  view: () =>
    m(
      "div.downloads",
      [...files].map((file) =>
        m(
          "div.toast",
          { key: file.id },
          m(
            "div.grow",
            m("b", t("download.saving", { name: file.name })),
            m(
              "p.meta",
              file.total
                ? t("download.of", {
                  count: Math.max(0, file.rows),
                  all: file.total,
                  share: share(Math.min(Math.max(0, file.rows), file.total), file.total, 0),
                })
                : t("download.rows", { count: Math.max(0, file.rows) }),
              " · ",
              bytes(file.size),
            ),
            file.total &&
              m("progress", {
                max: file.total,
                value: Math.max(0, file.rows),
                "aria-label": t("download.saving", { name: file.name }),
              }),
          ),
          m(Button, { variant: "plain", onclick: () => file.abort.abort() }, t("action.cancel")),
        )
      ),
    ),
};
