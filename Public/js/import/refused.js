// The refused lines of a file with their reasons, as a file to mend.

import { statements } from "../phrases.js";
import { ObjectSplitter } from "./objects.js";
import { quoted, RecordSplitter } from "./records.js";

export function reasonOf(problems) {
  return statements(problems.map(({ path, message }) => [path, message].filter(Boolean).join(" ")));
}

/**
 * Reads `file` again, as a stream, up to its last refused line, and returns the text of a file with these lines. In CSV
 * the number and the reason are two columns before the others, which an import ignores. `facts` tells how the server
 * has read the file: {format, compression, encoding, separator}.
 */
export async function refusedLines(file, failures, { format: kind, compression, encoding, separator }) {
  const reasons = new Map(failures.map(({ line, problems }) => [line, reasonOf(problems)]));
  // There can be too many for the arguments of one call of Math.max.
  const last = failures.reduce((greatest, { line }) => Math.max(greatest, line), 0);
  const found = [];
  let header = null;
  const splitter = kind === "csv" ? new RecordSplitter(separator ?? ",") : new ObjectSplitter();
  const add = (records) => {
    for (const { line, text } of records) {
      if (kind === "csv" && header === null && !/^"?sep=.$/i.test(text.replace(/"$/, ""))) header = text;
      else if (reasons.has(line)) found.push({ line, reason: reasons.get(line), text });
    }
    return records.some(({ line }) => line >= last);
  };
  const bytes = compression ? file.stream().pipeThrough(new DecompressionStream(compression)) : file.stream();
  const reader = bytes.pipeThrough(new TextDecoderStream(encoding)).getReader();
  while (true) {
    const { value, done } = await reader.read();
    if (done) {
      add(splitter.finish());
      break;
    }
    if (add(splitter.feed(value))) {
      await reader.cancel();
      break;
    }
  }
  return kind === "csv" ? csv(header, found, separator ?? ",") : ndjson(found);
}

function csv(header, found, separator) {
  const lines = found.map(({ line, reason, text }) => [line, quoted(reason, separator), text].join(separator));
  return [["line", "reason", header].join(separator), ...lines].join("\r\n") + "\r\n";
}

function ndjson(found) {
  return found.map(({ line, reason, text }) => `${JSON.stringify({ line, reason, record: parsed(text) })}\n`).join("");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
