// Addresses and pages. Every page has an address that can be bookmarked; filters, tabs and pages of lists are in it.

import m from "./m.js";
import { connection } from "./connection.js";

let compiled = [];

/** `routes` are pairs of a pattern and what loads its page. They come from the start: pages import the router. */
export function setRoutes(routes) {
  compiled = routes.map(([pattern, load]) => {
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name);
    return { expression: new RegExp(`^${pattern.replace(/:\w+/g, "([^/]+)")}/?$`), names, load };
  });
}

export const route = {
  path: "/",
  params: {},
  /** The parameters behind "?", as an object. */
  query: {},
  /** The page's component; null while it is being loaded for the first time. */
  component: null,
  /** Counts arrivals at a page: a new number is a new page, also with the same component. */
  arrival: 0,
  isLoading: false,
  error: null,
};

/** Asked before a page is left: returns false to stay. A page sets it while it has something to lose. */
let guard = null;
export function setGuard(check) {
  guard = check;
}

export function navigate(address, { replace = false } = {}) {
  if (guard && !guard()) return;
  guard = null;
  history[replace ? "replaceState" : "pushState"]({}, "", address);
  arrive();
}

/** Changes parameters behind "?" of this page; null removes one. */
export function setQuery(changes, { push = false } = {}) {
  // The page is being left, and the address is already the next one's.
  if (route.isLoading) return;
  const next = { ...route.query, ...changes };
  const pairs = Object.entries(next).filter(([, value]) => value !== null && value !== undefined && value !== "");
  route.query = Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
  const text = new URLSearchParams(route.query).toString();
  history[push ? "pushState" : "replaceState"](history.state, "", location.pathname + (text ? `?${text}` : ""));
  m.redraw();
}

/** Called after a page has been drawn for the first time, with the page's title. */
export const onArrival = { call() {} };

/**
 * Called after the reader went back, forward or along a link to the page that is shown, with other parameters
 * behind "?". The argument is false for a link.
 */
export const queryListeners = new Set();

/** Tells one page from another: its path, unless it has a `place(params, query)`. */
const placeOf = (component, params, query) => component?.place?.(params, query) ?? route.path;

const queryOfAddress = () => Object.fromEntries(new URLSearchParams(location.search));

async function arrive(event) {
  const { pathname } = location;
  const query = queryOfAddress();
  if (route.component && pathname === route.path && placeOf(route.component, route.params, query) === route.place) {
    route.query = query;
    for (const listener of queryListeners) listener(event?.type === "popstate");
    return m.redraw();
  }
  route.path = pathname;
  const found = compiled.map((each) => ({ ...each, match: each.expression.exec(pathname) })).find((each) => each.match);
  const params = Object.fromEntries(
    found.names.map((name, index) => [name, decodeURIComponent(found.match[index + 1])]),
  );
  route.isLoading = true;
  m.redraw();
  let component = null;
  route.error = null;
  try {
    component = (await found.load()).default;
  } catch (error) {
    route.error = error;
  }
  // Another click was faster.
  if (location.pathname !== pathname) return;
  Object.assign(route, { params, query: queryOfAddress(), component, isLoading: false });
  // Steps of one page share their state: moving between them is no arrival.
  const place = placeOf(component, params, route.query);
  if (place !== route.place) {
    route.place = place;
    route.arrival += 1;
    onArrival.call();
  }
  m.redraw();
}

export function startRouter() {
  window.addEventListener("popstate", arrive);
  // A page that could not be loaded while the server was away.
  connection.onReturn(() => {
    if (route.error) arrive();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) {
      return;
    }
    if (
      link.origin !== location.origin || link.target || link.hasAttribute("download") ||
      link.getAttribute("href").startsWith("#")
    ) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
    window.scrollTo(0, 0);
  });
  return arrive();
}
