// Placeholders for values of a person, as Liquid writes them. Does not use the DOM or the network.

import { written } from "./liquid.js";

/** `{{ first_name | default: "there" }}`; without a fallback, who has no value does not get the push. */
export function placeholder(name, fallback = "") {
  return `{{ ${written(name)}${fallback && ` | default: ${quoted(fallback)}`} }}`;
}

/** Liquid has two kinds of quotes and no way to escape one; a brace could end the placeholder. */
function quoted(text) {
  const safe = text.replace(/[{}]/g, "");
  if (!safe.includes('"')) return `"${safe}"`;
  return safe.includes("'") ? `"${safe.replaceAll('"', "”")}"` : `'${safe}'`;
}

/** The fallback that a text has for an attribute already, or "". */
export function fallbackIn(text, name) {
  for (const [, path, , fallback] of text.matchAll(/\{\{-?\s*([^|{}]+?)\s*\|\s*default:\s*(["'])(.*?)\2/g)) {
    if (path === written(name)) return fallback;
  }
  return "";
}
