// The beginning of a device file, as the server reads it. Nothing is stored.

import { api, query } from "../api.js";
import { inApp } from "../session.js";

/** Bytes of the file that are looked at. */
const sampleSize = 1 << 20;

export const types = { csv: "text/csv", ndjson: "application/x-ndjson" };

/** "csv" or "ndjson", by the name of the file or by how it begins. */
export function kindOf(name, text) {
  if (/\.(ndjson|jsonl)$/i.test(name)) return "ndjson";
  if (/\.(csv|tsv|txt)$/i.test(name)) return "csv";
  return /^\uFEFF?\s*\{/.test(text) ? "ndjson" : "csv";
}

/** The number of lines of a whole file, of whose beginning `size` bytes have `lines` lines. */
export function estimateLines({ lines, isWhole, size, whole }) {
  return isWhole ? lines : Math.round((lines / Math.max(1, size)) * whole);
}

/**
 * Asks the server what it makes of a File: the answer of the preview, with `kind`, `isExact` and `total`, the number of
 * lines of the whole file. `options` are {encoding, columns, environment}.
 */
export async function loadSample(file, options = {}, signal) {
  const isWhole = file.size <= sampleSize;
  const part = file.slice(0, sampleSize);
  const kind = kindOf(file.name, await file.slice(0, 64).text());
  const path = inApp("/devices/import/preview") + query({ ...options, part: isWhole ? undefined : true });
  const preview = await api.post(path, undefined, { file: part, type: types[kind], signal });
  const total = estimateLines({ lines: preview.lines, isWhole, size: part.size, whole: file.size });
  return { ...preview, kind, isExact: isWhole, total };
}
