// Two people change one record: merges the changes that fit together, and finds those that do not. Pure.

export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
export const clone = (value) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/**
 * Three-way merge of records with the same fields. Returns `merged`, `conflicts` (fields that both changed,
 * differently; `merged` has mine there), and `taken` (fields that only they changed).
 */
export function merge(base, mine, theirs) {
  const merged = {}, conflicts = [], taken = [];
  for (const field of Object.keys(mine)) {
    const isMine = !same(base[field], mine[field]);
    const isTheirs = !same(base[field], theirs[field]);
    if (isTheirs && !isMine) taken.push(field);
    if (isTheirs && isMine && !same(mine[field], theirs[field])) conflicts.push(field);
    merged[field] = clone(isMine ? mine[field] : theirs[field]);
  }
  return { merged, conflicts, taken };
}

/** A copy of `list` with one entry at another index. */
export function moved(list, from, to) {
  const copy = [...list];
  copy.splice(Math.max(0, Math.min(copy.length - 1, to)), 0, ...copy.splice(from, 1));
  return copy;
}
