// Reads and replaces parts of a JSON value by their paths. Does not use the DOM.

export function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The value at a path, or undefined. */
export function at(value, path) {
  return (Array.isArray(path) ? path : path.split(".")).reduce((part, name) => part?.[name], value);
}

/** A copy of `value` with another value at a path like "payload.aps.badge"; undefined removes it. */
export function put(value, path, next) {
  const [name, ...rest] = Array.isArray(path) ? path : path.split(".");
  const copy = isObject(value) ? { ...value } : {};
  const inner = rest.length ? put(copy[name], rest, next) : next;
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}
