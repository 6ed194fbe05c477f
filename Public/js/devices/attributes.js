// Attributes as rows that can be edited: their types, what was changed, and what two people changed at the same time.

/** "text", "number", "boolean", or "json" for lists and objects. */
export function typeOf(value) {
  return { string: "text", number: "number", boolean: "boolean" }[typeof value] ?? "json";
}

export function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Rows {name, type, text} of an object, sorted by name. */
export function rowsOf(attributes) {
  return Object.keys(attributes).sort().map((name) => ({
    name,
    type: typeOf(attributes[name]),
    text: textOf(attributes[name]),
  }));
}

/** {value}, or {problem}: the name of a text. */
export function valueOf({ type, text }) {
  const trimmed = text.trim();
  if (type === "text") return { value: text };
  if (type === "boolean") return { value: trimmed === "true" };
  if (type === "number") {
    const value = Number(trimmed);
    return trimmed !== "" && Number.isFinite(value) ? { value } : { problem: "notANumber" };
  }
  try {
    const value = JSON.parse(trimmed);
    // Null would remove the attribute.
    return value === null ? { problem: "notJSON" } : { value };
  } catch {
    return { problem: "notJSON" };
  }
}

/** Finds what is wrong with the rows: index → {name} or {value}, each the name of a text. */
export function problemsOf(rows) {
  const problems = new Map();
  rows.forEach((row, index) => {
    const name = row.name.trim();
    const isTwice = rows.some((other, place) => place < index && other.name.trim() === name);
    const own = {
      name: name === "" ? "noName" : name.startsWith("$") ? "reserved" : isTwice ? "twice" : null,
      value: valueOf(row).problem ?? null,
    };
    if (own.name || own.value) problems.set(index, own);
  });
  return problems;
}

/** The object that the rows, which have no problems, represent. */
export function attributesOf(rows) {
  return Object.fromEntries(rows.map((row) => [row.name.trim(), valueOf(row).value]));
}

function isSame(one, other) {
  return textKey(one) === textKey(other);
}

function textKey(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textKey)}]`;
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${textKey(value[name])}`)}}`;
}

/** The `attributes` member of a PATCH that turns `base` into `next`: null removes one. Empty if nothing was changed. */
export function changesBetween(base, next) {
  const changes = {};
  for (const name of new Set([...Object.keys(base), ...Object.keys(next)])) {
    if (!isSame(base[name], next[name])) changes[name] = next[name] ?? null;
  }
  return changes;
}

/**
 * After somebody else's change: {attributes, taken, conflicts}. `attributes` keeps what I changed and takes what only
 * they changed, whose names are in `taken`; `conflicts` are the names that both changed, where mine stays until I
 * decide.
 */
export function merge(base, mine, theirs) {
  const own = changesBetween(base, mine), other = changesBetween(base, theirs);
  const conflicts = Object.keys(own).filter((name) => name in other && !isSame(own[name], other[name]));
  const attributes = { ...theirs };
  for (const [name, value] of Object.entries(own)) {
    if (value === null) delete attributes[name];
    else attributes[name] = value;
  }
  return { attributes, conflicts, taken: Object.keys(other).filter((name) => !(name in own)) };
}
