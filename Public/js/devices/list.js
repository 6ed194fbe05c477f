// The list of devices that the address describes. The server looks through a bounded number of devices for each answer,
// so an answer can be short, or empty, without being the last: the list goes on by itself a few times, and then asks.

import { api } from "../api.js";
import { load } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp } from "../session.js";

const size = 50;
/** Answers for one page, at most; each is one scan of the server. */
const tries = 4;
/** The parameters of the address that the API takes as they are. */
export const filters = ["user_id", "tag", "kind", "test", "registered", "segment"];

/** The filters of the list and the export. */
export function parameters(query) {
  const asked = { search: query.q };
  for (const name of filters) asked[name] = query[name];
  return asked;
}

export function isFiltered(query) {
  return Boolean(query.q) || filters.some((name) => query[name]);
}

/** Something that is typed completely is found immediately, however many devices there are. */
async function exactMatches(query, signal) {
  if (!query.q || query.user_id || query.cursor) return [];
  const { q, ...others } = query;
  return (await api.get(inApp("/devices"), { ...parameters(others), user_id: q, limit: size }, { signal })).data;
}

async function read(query, signal) {
  const exact = exactMatches(query, signal);
  // Its error is the list's, and is not to be reported twice.
  exact.catch(() => {});
  const found = [];
  let cursor = query.cursor;
  for (let count = 0; count < tries; count += 1) {
    const answer = await api.get(inApp("/devices"), { ...parameters(query), limit: size, cursor }, { signal });
    found.push(...answer.data);
    cursor = answer.next_cursor;
    if (!cursor || found.length > 0) break;
  }
  const first = await exact;
  const known = new Set(first.map(({ id }) => id));
  return { devices: [...first, ...found.filter(({ id }) => !known.has(id))], next: cursor };
}

/**
 * A resource as of `load`, with `records`, `next`, `hasBefore`, `nextPage()`, `previousPage()`; `follow()`
 * loads when the address has changed.
 */
export function deviceList() {
  const before = [];
  let shown = location.search;
  const list = load((signal) => read({ ...route.query }, signal));
  Object.defineProperties(list, {
    records: { get: () => list.data?.devices ?? [] },
    next: { get: () => list.data?.next ?? null },
    hasBefore: { get: () => Boolean(route.query.cursor) },
  });
  return Object.assign(list, {
    nextPage() {
      before.push(route.query.cursor ?? null);
      setQuery({ cursor: list.next }, { push: true });
    },
    previousPage() {
      setQuery({ cursor: before.length ? before.pop() : null }, { push: true });
    },
    change(changes) {
      before.length = 0;
      setQuery({ ...changes, cursor: null });
    },
    follow() {
      if (location.search === shown) return;
      shown = location.search;
      list.reload();
    },
  });
}
