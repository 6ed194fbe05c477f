// The audience while it is edited: a tree of groups and conditions that have ids. Pure, without DOM.
//
// A group is {id, mode, children}: mode is all, any, none (not any) or notAll. A condition is {id, leaf, negated}:
// `leaf` is a condition of the API. The tree is {include, exclude}, two groups; an empty group has no effect.

import { isComplete } from "./fields.js";

let last = 0;
const newId = () => `c${++last}`;

export const modes = ["all", "any", "none", "notAll"];
/** The API's limits of an audience. */
export const limits = { conditions: 200, depth: 8 };

/** Conditions that read well when they are turned round: "has not the tag". Others become a group `none`. */
const isNegatable = (leaf) =>
  "tag" in leaf || "opted_out" in leaf || "user_ids" in leaf || "segment" in leaf || "event" in leaf ||
  leaf.op === "exists";

export const isGroup = (node) => "children" in node;
export function condition(leaf, negated = false) {
  return { id: newId(), leaf, negated };
}
export function group(mode = "all", children = []) {
  return { id: newId(), mode, children };
}

function node(json, isTurned = false) {
  if (json.not) {
    return isTurned ? group("none", [node(json.not)].map((each) => wrapTurned(each))) : node(json.not, true);
  }
  if (json.all) return group(isTurned ? "notAll" : "all", json.all.map((each) => node(each)));
  if (json.any) return group(isTurned ? "none" : "any", json.any.map((each) => node(each)));
  if (isTurned && !isNegatable(json)) return group("none", [condition(json)]);
  return condition(json, isTurned);
}

/** The inner part of a double `not`, turned once. */
const wrapTurned = (
  each,
) => (isGroup(each)
  ? { ...each, mode: opposite[each.mode] }
  : isNegatable(each.leaf)
  ? { ...each, negated: !each.negated }
  : group("none", [each]));
const opposite = { all: "notAll", notAll: "all", any: "none", none: "any" };

/** The tree of an audience of the API; null is everybody. */
export function fromAudience(audience) {
  const root = (json, mode) => {
    if (!json) return group(mode);
    const top = node(json);
    return isGroup(top) ? top : group(mode, [top]);
  };
  return { include: root(audience?.include, "all"), exclude: root(audience?.exclude, "any") };
}

function json(each, path, paths) {
  paths?.set(path, each.id);
  if (!isGroup(each)) {
    if (each.negated) paths?.set(`${path}.not`, each.id);
    return each.negated ? { not: each.leaf } : each.leaf;
  }
  const shown = each.children.filter((child) => !isGroup(child) || hasConditions(child));
  const isTurned = each.mode === "none" || each.mode === "notAll";
  const inner = isTurned ? `${path}.not` : path;
  let content;
  if (shown.length === 1) {
    content = json(shown[0], inner, paths);
  } else {
    const member = each.mode === "any" || each.mode === "none" ? "any" : "all";
    content = { [member]: shown.map((child, index) => json(child, `${inner}.${member}[${index}]`, paths)) };
  }
  return isTurned ? { not: content } : content;
}

/** The audience of the API. `paths`, a Map, gets the path of each node, as problems name them: path → id. */
export function toAudience({ include, exclude }, paths) {
  const audience = {};
  if (hasConditions(include)) audience.include = json(include, "audience.include", paths);
  if (hasConditions(exclude)) audience.exclude = json(exclude, "audience.exclude", paths);
  return audience;
}

export function hasConditions(each) {
  return isGroup(each) ? each.children.some(hasConditions) : true;
}

/** The conditions below a node, in order. */
export function conditions(each) {
  return isGroup(each) ? each.children.flatMap(conditions) : [each];
}

/** The conditions that lack a value. While there are some, the audience must not be used: without them it is larger. */
export function unfinished(tree) {
  return [...conditions(tree.include), ...conditions(tree.exclude)].filter(({ leaf }) => !isComplete(leaf));
}

/** Returns true if two audiences are the same, in any order of their members. */
export function isSame(one, other) {
  return stable(toAudience(fromAudience(one))) === stable(toAudience(fromAudience(other)));
}

function stable(value) {
  if (Array.isArray(value)) return `[${value.map(stable)}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return `{${
    Object.keys(value).sort().filter((key) => value[key] !== undefined && value[key] !== null).map((key) =>
      `${key}:${stable(value[key])}`
    )
  }}`;
}

// MARK: Editing. Each returns a new tree.

const onBoth = ({ include, exclude }, work) => ({ include: work(include), exclude: work(exclude) });

/** Replaces the node with this id by what `change(node)` returns; null removes it. */
export function update(tree, id, change) {
  const walk = (each) => {
    if (each.id === id) return change(each);
    return isGroup(each) ? { ...each, children: each.children.map(walk).filter(Boolean) } : each;
  };
  return onBoth(tree, walk);
}

export const remove = (tree, id) => update(tree, id, () => null);
export const add = (tree, groupId, child) =>
  update(tree, groupId, (each) => ({ ...each, children: [...each.children, child] }));

/** The way from the root to a node: [root, …, node], or null. */
export function pathTo(tree, id) {
  const walk = (each) => {
    if (each.id === id) return [each];
    if (!isGroup(each)) return null;
    for (const child of each.children) {
      const rest = walk(child);
      if (rest) return [each, ...rest];
    }
    return null;
  };
  return walk(tree.include) ?? walk(tree.exclude);
}

/** The place of a node: {parent, grandparent, index, depth}. */
function place(tree, id) {
  const path = pathTo(tree, id);
  const parent = path.at(-2);
  return {
    parent,
    grandparent: path.at(-3),
    index: parent?.children.findIndex((each) => each.id === id),
    depth: path.length,
    node: path.at(-1),
  };
}

const insert = (tree, groupId, index, child) =>
  update(tree, groupId, (each) => ({ ...each, children: each.children.toSpliced(index, 0, child) }));

/**
 * Moves a node: `up` and `down` step over a condition, into a group and out of one; `out` puts it behind its group;
 * `in` puts it into a group of its own. A group that it leaves empty goes. Returns the same tree where there is no way.
 */
export function move(tree, id, direction) {
  const { parent, grandparent } = place(tree, id);
  const moved = parent ? step(tree, id, direction) : tree;
  const isLeft = grandparent && moved !== tree && pathTo(moved, parent.id)?.at(-1).children.length === 0;
  return isLeft ? remove(moved, parent.id) : moved;
}

function step(tree, id, direction) {
  const { parent, grandparent, index, depth, node: moved } = place(tree, id);
  if (direction === "in") {
    return depth + 1 >= limits.depth
      ? tree
      : update(tree, id, (each) => group(parent.mode === "all" ? "any" : "all", [each]));
  }
  const without = remove(tree, id);
  if (direction === "out") {
    return grandparent ? insert(without, grandparent.id, indexIn(without, grandparent, parent) + 1, moved) : tree;
  }
  const way = direction === "up" ? -1 : 1;
  const neighbour = parent.children[index + way];
  if (!neighbour) {
    return grandparent
      ? insert(without, grandparent.id, indexIn(without, grandparent, parent) + (way > 0 ? 1 : 0), moved)
      : tree;
  }
  if (isGroup(neighbour) && !isGroup(moved)) {
    return insert(without, neighbour.id, way > 0 ? 0 : neighbour.children.length, moved);
  }
  return insert(without, parent.id, index + way, moved);
}

/** The node beside this one that takes the focus when it goes: the next, the one before, or null. */
export function beside(tree, id) {
  const { parent, index } = place(tree, id);
  return parent ? parent.children[index + 1] ?? parent.children[index - 1] ?? null : null;
}

const indexIn = (tree, parent, child) =>
  pathTo(tree, parent.id).at(-1).children.findIndex((each) => each.id === child.id);

/** The problems of the API by the id of the node they concern; those without one are under "". */
export function placeProblems(problems, tree) {
  const paths = new Map();
  toAudience(tree, paths);
  const byNode = new Map();
  for (const problem of problems) {
    let best = "";
    for (const path of paths.keys()) if (problem.path.startsWith(path) && path.length > best.length) best = path;
    const id = paths.get(best) ?? "";
    byNode.set(id, [...(byNode.get(id) ?? []), problem]);
  }
  return byNode;
}
