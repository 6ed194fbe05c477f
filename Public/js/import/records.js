// Records of a CSV file, as text: enough to find a refused one again. The server reads the file properly.

/**
 * Splits a text into CSV records: [{line, text}], where `line` is that of its first character, from 1. Lines end with
 * CRLF, LF or CR.
 */
export class RecordSplitter {
  #separator;
  #rest = "";
  #line = 1;
  #first = 1;
  #isQuoted = false;
  /** The part of the rest that was looked at. */
  #seen = 0;
  #isFieldStart = true;

  constructor(separator = ",") {
    this.#separator = separator;
  }

  /** The records that this piece completes. Blank lines are left out. */
  feed(piece) {
    const text = this.#rest + piece;
    const records = [];
    let start = 0;
    let index = this.#seen;
    for (; index < text.length; index += 1) {
      const character = text[index];
      // The next piece may begin with the line feed of this line end.
      if (character === "\r" && index + 1 === text.length) break;
      this.#lookAt(character);
      if (character !== "\n" && (character !== "\r" || text[index + 1] === "\n" || this.#isQuoted)) continue;
      this.#line += 1;
      if (this.#isQuoted) continue;
      this.#take(text.slice(start, index), records);
      start = index + 1;
      this.#first = this.#line;
    }
    this.#rest = text.slice(start);
    this.#seen = index - start;
    return records;
  }

  /** The record after the last line end. */
  finish() {
    const records = [];
    this.#take(this.#rest, records);
    this.#rest = "";
    return records;
  }

  #lookAt(character) {
    if (character === '"' && (this.#isQuoted || this.#isFieldStart)) this.#isQuoted = !this.#isQuoted;
    // After the closing quote of a pair of quotes the field goes on. Spaces may be before an opening one.
    this.#isFieldStart = character === this.#separator || character === "\n" || character === "\r" ||
      (character === '"' && !this.#isQuoted) || (character === " " && this.#isFieldStart);
  }

  #take(text, records) {
    const record = text.replace(/\r$/, "").replace(/^\uFEFF/, "");
    if (record.trim()) records.push({ line: this.#first, text: record });
  }
}

/** A field as CSV. */
export function quoted(text, separator = ",") {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
