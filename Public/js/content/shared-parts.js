// The parts that all languages of a content share: everything that is not text. Does not use the DOM or the network.

import { same } from "../json/difference.js";
import { at, isObject, put } from "../json/paths.js";
import { fields } from "../payload/fields.js";
import { buttonsKey, shapeOf, withOwnTitles } from "./buttons.js";
import { setAlert } from "./payload.js";

/** The members of an alert that people read; each language has its own. */
const texts = new Set(fields.filter(({ isText }) => isText).map(({ name }) => name));

/** The paths of the parts that are not text, like ["aps", "sound"] or ["link"]. */
function sharedPaths(payload) {
  return Object.entries(payload ?? {}).flatMap((
    [name, value],
  ) => (name === "aps" && isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => (key === "alert" ? alertPaths(inner) : [["aps", key]]))
    : [[name]])
  );
}
function alertPaths(alert) {
  return isObject(alert)
    ? Object.keys(alert).filter((name) => !texts.has(name)).map((name) => ["aps", "alert", name])
    : [];
}

/** The paths of the parts that are not text and differ between two payloads. */
export function differingPaths(one, other) {
  return allPaths(one, other).filter((path) => !isShared(one, other, path));
}

function allPaths(one, other) {
  const paths = new Map([...sharedPaths(one), ...sharedPaths(other)].map((path) => [JSON.stringify(path), path]));
  return [...paths.values()];
}

/** Whether two payloads have the same there; the titles of buttons are texts. */
function isShared(one, other, path) {
  const [mine, theirs] = [at(one, path), at(other, path)];
  return path[0] === buttonsKey ? same(shapeOf(mine), shapeOf(theirs)) : same(mine, theirs);
}

/** The payload with the parts at these paths as `source` has them. */
export function withParts(payload, source, paths, before) {
  return paths.reduce((result, path) => withPart(result, path, at(source, path), at(before, path)), payload);
}
function withPart(payload, path, value, before) {
  // An alert that is a plain text becomes an object and keeps its text.
  if (path[1] === "alert") return setAlert(payload, path[2], value);
  if (path[0] === buttonsKey) return put(payload ?? {}, path, withOwnTitles(value, at(payload, path), before));
  return value === undefined && at(payload, path) === undefined ? payload : put(payload ?? {}, path, value);
}

/**
 * One language was changed from `before` to `after`: the content's payloads, where the parts that are not text follow
 * in each language that had the same before. `locale` is a key of the variants, or null for the default.
 */
export function withChange({ payload, variants = {} }, locale, before, after) {
  const follow = following(before, after);
  const next = Object.fromEntries(
    Object.entries(variants).map(([key, other]) => [key, key === locale ? after : follow(other)]),
  );
  return { payload: locale === null ? after : follow(payload), variants: next };
}

/** The other languages that follow such a change, as keys of the variants; null is the default. */
export function followers({ payload, variants = {} }, locale, before, after) {
  const follow = following(before, after);
  return [[null, payload], ...Object.entries(variants)].filter(([key, other]) =>
    key !== locale && !same(other, follow(other))
  ).map(([key]) => key);
}

function following(before, after) {
  const changed = allPaths(before, after).filter((path) => !same(at(before, path), at(after, path)));
  return (other) => withParts(other, after, changed.filter((path) => isShared(other, before, path)), before);
}
