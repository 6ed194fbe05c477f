// The fields of a content that have words of their own: the one list that the form, the heads of its closed parts, the
// preview, the byte meter, the places of problems, and what languages share are made from. A field that is not here is
// edited as JSON. Does not use the DOM or the network.

/**
 * `path`: in the payload; in the content when it is `ofContent`. `also`: further paths whose problems it shows.
 * `label`, `help`, `short`: keys of texts; `short` is for a head, where the label is too long.
 * `fold`: the closed part of the form that it is in. `input`: what edits it there, of `PayloadField`.
 * `isText`: people read it, so that each language has its own. `isShown`: with it, the phone shows something.
 * `color`: it is a part of the byte meter, in this color; all others are "settings" there.
 */
const alert = (name, more) => ({ name, path: `aps.alert.${name}`, label: `content.${name}`, ...more });
const aps = (name, more) => ({ name, path: `aps.${name}`, label: `content.aps.${name}`, ...more });
const loc = (name, more) =>
  alert(name, { label: `content.keys.${name}`, fold: "locKeys", input: "key", isText: true, ...more });
const ofContent = (name, label, more) => ({ name, path: name, label, ofContent: true, ...more });

export const fields = [
  alert("title", { isText: true, isShown: true, color: "var(--series-1)" }),
  alert("subtitle", { isText: true, isShown: true, color: "var(--series-4)" }),
  alert("body", { isText: true, isShown: true, color: "var(--series-3)", also: ["aps.alert"] }),
  aps("category"),
  aps("sound", { also: ["aps.sound.name"] }),
  aps("badge", { fold: "look", input: "badge", help: "content.badgeHelp" }),
  aps("interruption-level", { fold: "look", input: "level" }),
  aps("relevance-score", { fold: "look", input: "score", help: "content.relevanceHelp" }),
  aps("thread-id", { fold: "look", input: "text", help: "content.threadHelp" }),
  aps("target-content-id", { fold: "data", input: "text", help: "content.targetHelp" }),
  aps("filter-criteria", { fold: "data", input: "text", help: "content.filterHelp" }),
  aps("content-available", { fold: "data", input: "check", short: "content.wakes" }),
  aps("mutable-content", { fold: "data", input: "check", short: "content.mutable" }),
  loc("loc-key", { isShown: true }),
  loc("loc-args", { input: "args" }),
  loc("title-loc-key", { isShown: true }),
  loc("title-loc-args", { input: "args" }),
  loc("subtitle-loc-key", { isShown: true }),
  loc("subtitle-loc-args", { input: "args" }),
  loc("launch-image", { isText: false }),
  ofContent("media", "content.media", { also: ["media.id", "media.url"] }),
  ofContent("media.url", "content.mediaUrl"),
  ofContent("push_type", "content.pushType", { fold: "delivery" }),
  ofContent("priority", "content.priority", { fold: "delivery" }),
  ofContent("expiration_seconds", "content.expiration", { fold: "delivery" }),
  ofContent("collapse_id", "content.collapse", { fold: "delivery" }),
];

/** Title, subtitle and text: what people type first, and read. */
export const words = fields.filter(({ color }) => color);

/** The field of a name: "title", "sound" or "push_type". */
export const field = (name) => fields.find((each) => each.name === name);

export const fieldsIn = (fold) => fields.filter((each) => each.fold === fold);

/** The paths whose problems a field shows. */
export const pathsOf = ({ path, also = [] }) => [path, ...also];

/** True if a field shows the problems of a path; those of a list are at its elements. */
export const isPlaced = (path, isOfContent = false) =>
  fields.some((each) =>
    Boolean(each.ofContent) === isOfContent &&
    (pathsOf(each).includes(path) || (each.input === "args" && path.startsWith(each.path)))
  );

/** The key of the text that names the part at a path; undefined when no field has it. */
export function labelAt(path) {
  const inside = (each) => path.startsWith(`${each.path}.`) || path.startsWith(`${each.path}[`);
  return (fields.find((each) => each.path === path) ?? fields.find(inside))?.label;
}

/** The content without the members that are not set, as the API takes it: {payload, push_type, …}. */
export function setMembers(content, names = []) {
  const all = ["payload", ...names, ...fieldsIn("delivery").map(({ name }) => name)];
  return Object.fromEntries(
    all.map((name) => [name, content[name]]).filter(([, value]) => value !== undefined && value !== null),
  );
}
