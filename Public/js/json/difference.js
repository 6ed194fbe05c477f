// Compares two JSON values path by path. Does not use the DOM.

import { isObject } from "./paths.js";

/** Returns true if two JSON values are equal; a member that is undefined is as good as absent. */
export function same(a, b) {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((each, index) => same(each, b[index]));
  }
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => same(a[name], b[name]));
}

/** [{path, before, after}], undefined where there is none. */
export function difference(before, after, path = []) {
  if (same(before, after)) return [];
  if (!isObject(before) || !isObject(after)) {
    // A whole part that is new or gone is listed piece by piece, so that a language reads as its texts.
    if (isObject(before) && after === undefined) return difference(before, {}, path);
    if (isObject(after) && before === undefined) return difference({}, after, path);
    return [{ path: path.join("."), before, after }];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    difference(before[name], after[name], [...path, name])
  );
}
