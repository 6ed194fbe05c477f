// Records of a device file, as text: enough to show the first ones, and to find a refused one again. The server reads the file
// properly (RFC 4180).

/** Reads one CSV record or the lines of a text into records: [{line, text}], where `line` is that of its first character, from 1. */
export class RecordSplitter {
  #isCSV;
  #rest = "";
  #line = 1;
  #first = 1;
  #isQuoted = false;
  /** The part of the rest that was looked at. */
  #seen = 0;
  #isFieldStart = true;

  constructor(kind) { this.#isCSV = kind === "csv"; }

  /** The records that this piece completes. Empty lines are left out. */
  feed(piece) {
    const text = this.#rest + piece;
    const records = [];
    let start = 0;
    for (let index = this.#seen; index < text.length; index += 1) {
      const character = text[index];
      if (this.#isCSV && character === "\"" && (this.#isQuoted || this.#isFieldStart)) this.#isQuoted = !this.#isQuoted;
      // After the closing quote of a pair of quotes the field goes on.
      this.#isFieldStart = character === "," || character === "\n" || (character === "\"" && !this.#isQuoted);
      if (character !== "\n") continue;
      this.#line += 1;
      if (this.#isQuoted) continue;
      this.#take(text.slice(start, index), records);
      start = index + 1;
      this.#first = this.#line;
    }
    this.#rest = text.slice(start);
    this.#seen = this.#rest.length;
    return records;
  }

  /** The record after the last line feed. */
  finish() {
    const records = [];
    this.#take(this.#rest, records);
    this.#rest = "";
    return records;
  }

  #take(text, records) {
    const record = text.replace(/\r$/, "").replace(/^\uFEFF/, "");
    if (record.trim()) records.push({ line: this.#first, text: record });
  }
}

/** The fields of a CSV record. */
export function fieldsOf(record) {
  const fields = [];
  let field = "";
  let isQuoted = false;
  for (let index = 0; index < record.length; index += 1) {
    const character = record[index];
    if (isQuoted && character === "\"" && record[index + 1] === "\"") {
      field += "\"";
      index += 1;
    } else if (character === "\"" && (isQuoted || field === "")) {
      isQuoted = !isQuoted;
    } else if (character === "," && !isQuoted) {
      fields.push(field);
      field = "";
    } else field += character;
  }
  return [...fields, field];
}

/** A field as CSV. */
export function quoted(text) { return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text; }
