// Compares two contents path by path. Does not use the DOM.

import { isObject, same } from "../draft/merge.js";

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
