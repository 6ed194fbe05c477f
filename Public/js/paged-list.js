// A list of the API that is shown page by page, with its filter and place in the address.

import m from "./m.js";
import { api } from "./api.js";
import { load } from "./loading.js";
import { queryListeners, route, setQuery } from "./router.js";

/**
 * A list at `path`, with the parameters that `parameters()` returns. Has what `load` has, and `records`, `next`,
 * `hasBefore`, `nextPage()`, `previousPage()`, `restart()` after a change of the filter. `get` fetches a page where one
 * request is not enough; it is called like `api.get`.
 */
export function pagedList(path, parameters = () => ({}), { limit = 50, get = api.get } = {}) {
  const before = [];
  let asked;
  const values = () => ({ limit, cursor: route.query.cursor, ...parameters() });
  const list = load(async (signal) => {
    const own = values();
    asked = JSON.stringify(own);
    return get(path, own, { signal });
  });
  const go = (cursor) => {
    setQuery({ cursor }, { push: true });
    list.reload();
  };
  // Back, forward, and a link to the same page with another filter. Closing "Why?" goes back, too, but changes no list.
  const follow = (isBack) => {
    if (isBack && !list.error && asked === JSON.stringify(values())) return;
    before.length = 0;
    list.reload();
  };
  queryListeners.add(follow);
  const { end } = list;
  Object.defineProperties(list, {
    records: { get: () => list.data?.data ?? [] },
    next: { get: () => list.data?.next_cursor ?? null },
    hasBefore: { get: () => Boolean(route.query.cursor) },
  });
  return Object.assign(list, {
    end() {
      queryListeners.delete(follow);
      end();
    },
    nextPage() {
      before.push(route.query.cursor ?? null);
      go(list.next);
    },
    previousPage() {
      go(before.length ? before.pop() : null);
    },
    /** Begins at the first page again, with other parameters in the address. */
    restart(changes = {}) {
      before.length = 0;
      setQuery({ ...changes, cursor: null });
      list.reload();
      m.redraw();
    },
  });
}
