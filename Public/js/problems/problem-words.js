// Says problems of the API to people.

import m from "../m.js";
import { has, t } from "../i18n.js";
import { stopped } from "../phrases.js";
import { partName } from "./part-name.js";

/** Messages of the API say what is wrong with a part, without naming it: "is 5, with which …". */
function sentence(message) {
  return stopped(message.charAt(0).toUpperCase() + message.slice(1));
}

/** A problem as a sentence; some have words of their own, which say what to do. */
export function problemWords({ code, message, fix }) {
  if (fix) return t("content.fixable", fix);
  const key = `content.problem.${code}`;
  return has(key) ? t(key) : sentence(message);
}

/**
 * Words a problem for a list, away from its field: the sentence begins with the name of the part, like "Priority is 5,
 * …".
 */
export function problemOfPart(problem) {
  const name = partName(problem.path ?? "");
  return name && !problem.fix && !has(`content.problem.${problem.code}`)
    ? [m("b", name), " ", stopped(problem.message)]
    : problemWords(problem);
}
