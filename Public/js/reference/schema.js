// Describes a schema: one line about its type, its limits, and its members. Does not use the DOM.

import { number, t } from "../i18n.js";
import { list } from "../phrases.js";
import { resolve } from "./document.js";

/** References followed, `allOf` joined, and null taken out of alternatives: {…schema, isNullable, options}. */
export function plain(document, part) {
  let schema = resolve(document, part);
  for (const each of schema.allOf ?? []) schema = join(schema, plain(document, each));
  const options = schema.oneOf ?? schema.anyOf;
  let isNullable = [schema.type].flat().includes("null");
  if (!options || !options.some(isShape)) return { ...schema, isNullable };
  const left = options.filter((each) => each.type !== "null");
  isNullable ||= left.length < options.length;
  if (left.length === 1) {
    const { title, description, isNullable: isInside, ...only } = plain(document, left[0]);
    return { ...only, title, description: schema.description ?? description, isNullable: isNullable || isInside };
  }
  return { ...schema, options: left.map((each) => plain(document, each)), isNullable };
}

/** Alternatives that only say which members go together add no shape. */
const isShape = (each) => Object.keys(each).some((name) => !["required", "not"].includes(name));

function join(a, b) {
  return {
    ...b,
    ...a,
    type: a.type ?? b.type,
    title: a.title ?? b.title,
    properties: { ...b.properties, ...a.properties },
    required: [...(b.required ?? []), ...(a.required ?? [])],
  };
}

/** "text", "list of texts", "object or null". */
export function typeWords(document, schema) {
  const word = baseWord(document, schema);
  return schema.isNullable ? t("reference.orNull", { type: word }) : word;
}

function baseWord(document, schema) {
  if (schema.options) return list([...new Set(schema.options.map((each) => baseWord(document, each)))], "disjunction");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type].flat().filter((each) => each && each !== "null");
  if (types.length > 1) return list(types.map((each) => t(`reference.type.${each}`)), "disjunction");
  if (types[0] === "array") {
    return schema.items
      ? t("reference.listOf", { type: baseWord(document, plain(document, schema.items)) })
      : t("reference.type.array");
  }
  const type = types[0] ?? (schema.properties ? "object" : schema.enum ? "string" : null);
  if (type === "string" && schema.format === "date-time") return t("reference.type.time");
  return type ? t(`reference.type.${type}`) : t("reference.type.any");
}

/** "1 to 200 characters", "default 50". */
export function limitWords(schema) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, default: usual, uniqueItems } = schema;
  const range = (from, to, kind) => {
    if (from === undefined && to === undefined) return null;
    if (to === undefined) return t(`reference.limit.${kind}From`, { from: number(from) });
    return from === undefined
      ? t(`reference.limit.${kind}To`, { to: number(to) })
      : t(`reference.limit.${kind}Range`, { from: number(from), to: number(to) });
  };
  return [
    range(minimum, maximum, "number"),
    range(minLength, maxLength, "length"),
    range(minItems, maxItems, "items"),
    uniqueItems && t("reference.limit.unique"),
    pattern && t("reference.limit.pattern", { pattern }),
    usual !== undefined && t("reference.limit.default", { value: JSON.stringify(usual) }),
  ].filter(Boolean);
}

/** The parts of a schema that the page can open: {members, entries, options}; null if it has none. */
export function inside(document, schema) {
  if (schema.options) return schema.options.some((each) => inside(document, each)) ? { options: schema.options } : null;
  if (schema.items) return inside(document, plain(document, schema.items));
  const members = Object.entries(schema.properties ?? {});
  const { additionalProperties: entries } = schema;
  const hasEntries = entries && typeof entries === "object" && Object.keys(entries).length > 0;
  return members.length || hasEntries
    ? { members, required: new Set(schema.required ?? []), entries: hasEntries ? entries : null }
    : null;
}
