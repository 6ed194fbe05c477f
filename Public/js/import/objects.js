// Objects of a JSON file, as text: enough to find a refused one again. The server reads the file properly.

/**
 * Splits a text into its objects, and the text between them: [{line, text}], where `line` is the number that the server
 * gives it: that of its first character, and several objects on a line count as lines of their own.
 */
export class ObjectSplitter {
  #text = "";
  #line = 1;
  #first = 1;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** Whether a record has begun on the line, and whether the line has had nothing but spaces. */
  #hasRecord = false;
  #isLineStart = true;
  #hasReturn = false;
  /** The last character of the object that is no space. */
  #last = "";

  /** The objects that this piece completes. */
  feed(piece) {
    const records = [];
    for (const character of piece) this.#take(character, records);
    return records;
  }

  /** The object that has not ended. */
  finish() {
    const records = [];
    this.#end(records);
    return records;
  }

  #take(character, records) {
    const endsReturn = this.#hasReturn && character === "\n";
    this.#hasReturn = character === "\r";
    if (endsReturn) return;
    if (character === "\n" || character === "\r") return this.#endLine(records);
    const isSpace = character === " " || character === "\t";
    const isFirst = this.#isLineStart && !isSpace;
    if (!isSpace) this.#isLineStart = false;
    if (this.#isString) return this.#takeInString(character);
    if (character === "{" && (this.#depth === 0 || (isFirst && !":[,".includes(this.#last)))) this.#end(records);
    if (!this.#text) {
      if (isSpace || ",[]\u001E\uFEFF".includes(character)) return;
      this.#begin();
    }
    this.#text += character;
    if (isSpace || !this.#text.startsWith("{")) return;
    this.#last = character;
    if (character === '"' && this.#depth) this.#isString = true;
    else if ("{[".includes(character)) this.#depth += 1;
    else if ("}]".includes(character) && this.#depth > 0) this.#depth -= 1;
    if (this.#depth === 0 && character === "}") this.#end(records);
  }

  #takeInString(character) {
    this.#text += character;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isString = false;
  }

  #begin() {
    if (this.#hasRecord) this.#line += 1;
    this.#hasRecord = true;
    this.#first = this.#line;
    this.#depth = 0;
  }

  #endLine(records) {
    // A string has no line ends.
    if (this.#isString || this.#depth === 0) this.#end(records);
    else this.#text += "\n";
    this.#line += 1;
    this.#isLineStart = true;
    this.#hasRecord = false;
  }

  #end(records) {
    if (this.#text.trim()) records.push({ line: this.#first, text: this.#text.trimEnd() });
    this.#text = "";
    this.#depth = 0;
    this.#isString = this.#isEscaped = false;
  }
}
