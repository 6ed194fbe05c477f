// The beginning of a device file, as the server reads it. Nothing is stored.

import { api, query } from "../api.js";
import { inApp } from "../session.js";

/** Bytes of the file that are looked at. */
const sampleSize = 1 << 20;

/** By the format that the server has found. */
export const types = { csv: "text/csv", ndjson: "application/x-ndjson" };
/** Of a file whose format is not known yet: the server looks at the content. */
export const unknownType = "application/octet-stream";

/** The number of lines of a whole file, of whose beginning `size` bytes have `lines` lines. */
export function estimateLines({ lines, isWhole, size, whole }) {
  return isWhole ? lines : Math.round((lines / Math.max(1, size)) * whole);
}

/**
 * Asks the server what it makes of a File: the answer of the preview, with `kind`, `isExact` and `total`, the number of
 * lines of the whole file. `options` are {encoding, columns, environment}.
 */
export async function loadSample(file, options = {}, signal) {
  const isPart = file.size > sampleSize;
  const path = inApp("/devices/import/preview") + query({ ...options, part: isPart || undefined });
  const preview = await api.post(path, undefined, { file: file.slice(0, sampleSize), type: unknownType, signal });
  // Of a compressed file, the server has decompressed the beginning.
  const isWhole = preview.is_whole;
  const total = estimateLines({ lines: preview.lines, isWhole, size: preview.bytes_read, whole: file.size });
  return { ...preview, kind: preview.file.format ?? "csv", isExact: isWhole, total };
}
