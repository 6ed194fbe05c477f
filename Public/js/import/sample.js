// The beginning of a device file, which is shown before anything is sent.

import { RecordSplitter, fieldsOf } from "./records.js";

/** Bytes of the file that are looked at. */
const sampleSize = 64 << 10;
const shownRows = 5;
/** Columns of a spreadsheet that are shown. */
const shownColumns = 30;

const known = new Set([
  "installation", "kind", "activity", "token", "environment", "authorization_status", "user_id", "locale", "time_zone", "os_version", "app_version", "model",
  "settings", "tags", "opt_outs", "attributes", "person", "is_test", "nickname", "id", "created_at", "last_seen_at",
]);

export function isKnownColumn(name) {
  return known.has(name.trim()) || /^(person\.)?attr\.[^:]+(:(text|number|boolean|json))?$/.test(name.trim());
}

/** "csv" or "ndjson", by the name of the file or by how it begins. */
export function kindOf(name, text) {
  if (/\.(ndjson|jsonl)$/i.test(name)) return "ndjson";
  if (/\.csv$/i.test(name)) return "csv";
  return /^\uFEFF?\s*\{/.test(text) ? "ndjson" : "csv";
}

export const types = { csv: "text/csv", ndjson: "application/x-ndjson" };

/**
 * Reads the beginning of a file: {kind, columns, rows, lines, isExact, problems}. `lines` is how many the whole file has, about,
 * or exactly if all of it was read. `problems` are {name, values} of texts under `import.problem`.
 */
export function describe(name, text, { size, isWhole }) {
  const kind = kindOf(name, text);
  const splitter = new RecordSplitter(kind);
  const records = splitter.feed(text);
  if (isWhole) records.push(...splitter.finish());
  const table = kind === "csv" ? csvTable(records) : ndjsonTable(records);
  const read = isWhole ? size : new TextEncoder().encode(records.map((record) => record.text).join("\n")).length + 1;
  const lines = isWhole ? table.count : Math.round((table.count / Math.max(1, read)) * size);
  return { kind, ...table, lines, isExact: isWhole, bytesPerLine: size / Math.max(1, lines) };
}

function csvTable(records) {
  const columns = records.length ? fieldsOf(records[0].text).map((each) => each.trim()) : [];
  const problems = [];
  const unknown = columns.filter((each) => !isKnownColumn(each));
  if (!records.length) problems.push({ name: "empty" });
  else if (columns.length === 1 && columns[0].includes(";")) problems.push({ name: "semicolons" });
  else if (!columns.includes("installation")) problems.push({ name: "noInstallation" });
  else if (unknown.length) problems.push({ name: "unknown", columns: unknown });
  if (records.length === 1) problems.push({ name: "onlyHeader" });
  return {
    columns: columns.slice(0, shownColumns), count: Math.max(0, records.length - 1), problems,
    rows: records.slice(1, 1 + shownRows).map(({ text }) => fieldsOf(text).slice(0, shownColumns)),
  };
}

function ndjsonTable(records) {
  const objects = records.slice(0, shownRows).map(({ text }) => {
    try {
      const value = JSON.parse(text);
      return value && typeof value === "object" && !Array.isArray(value) ? value : null;
    } catch {
      return null;
    }
  });
  const columns = [...new Set(objects.flatMap((each) => Object.keys(each ?? {})))].slice(0, shownColumns);
  const problems = [];
  if (!records.length) problems.push({ name: "empty" });
  else if (objects.includes(null)) problems.push({ name: "notJSON" });
  else if (!columns.includes("installation")) problems.push({ name: "noInstallation" });
  const shown = (value) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
  return { columns, count: records.length, problems, rows: objects.filter(Boolean).map((each) => columns.map((name) => shown(each[name]))) };
}

/** Reads the beginning of a File. */
export async function sampleOf(file) {
  const text = await file.slice(0, sampleSize).text();
  return describe(file.name, text, { size: file.size, isWhole: file.size <= sampleSize });
}
