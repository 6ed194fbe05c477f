// The texts that a field shows of its problems.

import { problemWords } from "./problem-words.js";

/** {error, note} of a field: an error takes the place of a warning. */
export function fieldProblems(problems) {
  const error = problems.find(({ severity }) => severity === "error");
  return { error: error && problemWords(error), note: problems[0] && problemWords(problems[0]) };
}
