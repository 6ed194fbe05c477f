// Sorts the problems that the API found in a body, for the fields that show them.

import { has, t } from "../i18n.js";
import { stopped } from "../phrases.js";

/** Problems of an API error: `at(path)` is the sentence for a field, `rest(known)` those that no field shows. */
export function problemsOf(error) {
  const entries =
    (error?.problems?.length
      ? error.problems
      : error
      ? [{ path: error.field ?? "", code: error.code, message: error.message }]
      : [])
      .filter(({ severity }) => severity !== "note");
  return {
    entries,
    at: (path) => sentence(entries.find((each) => each.path === path)),
    /** The number of problems at or below a path. */
    below: (path) => entries.filter((each) => isBelow(each.path, path)).length,
    /** `known` are paths, or expressions for them. */
    rest: (known) =>
      entries.filter(({ path }) => !known.some((each) => (each instanceof RegExp ? each.test(path) : each === path))),
  };
}

export const noProblems = problemsOf(null);

export function isBelow(path, start) {
  return path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`);
}

/** The API's message as a sentence, or ours where it says the next step better. */
export function sentence(problem) {
  if (!problem) return undefined;
  const field = problem.path?.split(".").at(-1);
  const own = problem.code && [`setup.problemOf.${field}.${problem.code}`, `setup.problem.${problem.code}`].find(has);
  if (own) return t(own);
  const [, from, to] = /^must be from ([\d.]+) to ([\d.]+)/.exec(problem.message) ?? [];
  if (to) return t("setup.range", { from: Number(from), to: Number(to) });
  return stopped(problem.message.charAt(0).toUpperCase() + problem.message.slice(1));
}
