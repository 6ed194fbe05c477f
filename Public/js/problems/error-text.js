// An error as one sentence for people: parts by the names of the form, never by their paths.

import { t } from "../i18n.js";
import { labelled, sentences } from "../phrases.js";
import { partName } from "./part-name.js";
import { problemWords } from "./problem-words.js";

/** `error` of api.js, with `problems`; of several the first is shown, and their number. */
export function errorText({ message, problems = [] }) {
  const [first] = problems;
  if (!first) return message;
  const name = partName(first.path ?? "");
  const text = name && !/[[\].]/.test(name) ? labelled(name, problemWords(first)) : problemWords(first);
  return problems.length > 1 ? sentences([text, t("error.more", { count: problems.length - 1 })]) : text;
}
