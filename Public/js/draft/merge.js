// Three versions of a thing that two people edit: what both began with, mine, and theirs. No DOM, no network.

import { same } from "../json/difference.js";
import { isObject } from "../json/paths.js";

/** Members that are one decision: they are never merged piece by piece. */
const atomicMembers = new Set(["audience", "schedule", "missed_start", "template"]);

/** The members that differ between two objects, with their values in `mine`. */
export function changes(base, mine, members) {
  return Object.fromEntries(members.filter((name) => !same(base[name], mine[name])).map((name) => [name, mine[name]]));
}

/**
 * Merges what both changed since `base`, in the members named. Returns {value, taken, conflicts}: `taken` are the paths
 * that only they changed, `conflicts` are [{path, mine, theirs}] that both changed; there `value` has mine.
 */
export function merge(base, mine, theirs, members) {
  const taken = [], conflicts = [];
  const value = { ...theirs };
  for (const name of members) value[name] = join(base[name], mine[name], theirs[name], [name], taken, conflicts);
  return { value, taken, conflicts };
}

function join(base, mine, theirs, path, taken, conflicts) {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) {
    taken.push(path.join("."));
    return theirs;
  }
  if (!atomicMembers.has(path[0]) && [base, mine, theirs].every(isObject)) {
    const result = {};
    for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const value = join(base[name], mine[name], theirs[name], [...path, name], taken, conflicts);
      if (value !== undefined) result[name] = value;
    }
    return result;
  }
  conflicts.push({ path: path.join("."), mine, theirs });
  return mine;
}
