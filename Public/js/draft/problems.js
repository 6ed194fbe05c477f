// The problems of a draft: those that the server refused or warned of, and those that a step found. Does not use the
// DOM.

import { same } from "../json/difference.js";
import { memberOf, stepOf } from "./steps.js";

/** Problems are {path, code, message, severity}. */
export class Problems {
  /** The problems for which the server refused the last save. */
  refused = [];
  #found = new Map();

  /** With the warnings of `value`, the resource as the server answered it. */
  all(value) {
    const found = [...this.#found.values()].flat();
    // A step may report the same problem for the present content as the server for the saved one.
    const told = [...this.refused, ...(value?.warnings ?? value?.problems ?? [])].filter((each) =>
      !found.some(({ path, code }) => path === each.path && code === each.code)
    );
    return [...told, ...found];
  }

  /** They replace the earlier ones of the same `source`. Returns true if they differ. */
  setProblems(source, problems) {
    const before = this.#found.get(source) ?? [];
    if (problems.length) this.#found.set(source, problems);
    else this.#found.delete(source);
    return !same(before, problems);
  }

  /** Forgets all problems: they belong to a value that is dropped. */
  clear() {
    this.refused = [];
    this.#found.clear();
  }

  /** A member that is changed as a whole may be right now; parts of it are known after the next save. */
  forget(fields) {
    this.refused = this.refused.filter(({ path = "" }) => !(memberOf(path) in fields) || path !== memberOf(path));
  }
}

/** The problems of one field; with `deep` also those of everything inside. */
export function at(problems, path, deep = false) {
  return problems.filter((each) => each.path === path || (deep && each.path?.startsWith(`${path}.`)));
}

/** The problems that are mended in a step. */
export function ofStep(problems, step) {
  return problems.filter(({ path }) => stepOf(path) === step);
}
