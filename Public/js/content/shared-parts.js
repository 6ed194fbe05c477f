// The parts that all languages of a content share: everything that is not text. Does not use the DOM or the network.

import { same } from "../json/difference.js";
import { at, isObject, put } from "../json/paths.js";
import { fields } from "../payload/fields.js";
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
  const paths = new Map([...sharedPaths(one), ...sharedPaths(other)].map((path) => [JSON.stringify(path), path]));
  return [...paths.values()].filter((path) => !same(at(one, path), at(other, path)));
}

/** The payload with the parts at these paths as `source` has them. */
export function withParts(payload, source, paths) {
  return paths.reduce((result, path) => withPart(result, path, at(source, path)), payload);
}
function withPart(payload, path, value) {
  // An alert that is a plain text becomes an object and keeps its text.
  if (path[1] === "alert") return setAlert(payload, path[2], value);
  return value === undefined && at(payload, path) === undefined ? payload : put(payload ?? {}, path, value);
}

/**
 * One language was changed from `before` to `after`: the content's payloads, where the parts that are not text follow
 * in each language that had the same before. `locale` is a key of the variants, or null for the default.
 */
export function withChange({ payload, variants = {} }, locale, before, after) {
  const changed = differingPaths(before, after);
  const follow = (other) => withParts(other, after, changed.filter((path) => same(at(other, path), at(before, path))));
  const next = Object.fromEntries(
    Object.entries(variants).map(([key, other]) => [key, key === locale ? after : follow(other)]),
  );
  return { payload: locale === null ? after : follow(payload), variants: next };
}

/** The other languages that follow such a change, as keys of the variants; null is the default. */
export function followers({ payload, variants = {} }, locale, before, after) {
  const changed = differingPaths(before, after);
  return [[null, payload], ...Object.entries(variants)].filter(([key, other]) =>
    key !== locale && changed.some((path) => same(at(other, path), at(before, path)))
  ).map(([key]) => key);
}
