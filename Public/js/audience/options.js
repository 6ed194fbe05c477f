// Options of the inputs of conditions.

import { language, share } from "../i18n.js";
import { clauses } from "../phrases.js";

/** Options with the chosen one first if it is not among them; `label` says what it is, which is never its id. */
export const withChosen = (records, id, label) => [
  ...(records.some((each) => String(each.value) === id) || !id ? [] : [{ value: id, label }]),
  ...records,
];

/** A value with the words that explain it, and the share of devices that have it: "de", German, 12 %. */
export function completion(name, { value, share: part }) {
  const words = [["language", "locale"].includes(name) ? languageName(value) : null, share(part, 1, 0)].filter(Boolean);
  return { value, label: clauses(words) };
}

function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code);
  } catch {
    // The app sent something that is no language tag.
    return null;
  }
}
