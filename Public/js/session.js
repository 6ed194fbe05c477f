// The session: the person who is signed in, and their permissions. The session's key is in a cookie that scripts can't
// read.

import { api, beginSession } from "./api.js";

/** The one-time addresses: `#set-up=…`, `#password=…`, `#sign-in=…`. */
const purposes = ["set-up", "password", "sign-in"];

const item = "belfry.app";

export const session = {
  /** The answer of `GET /v1/session`, or null. */
  current: null,
  /** The apps that the person may see, newest first. */
  apps: [],
  /** The id of the app that the page shows, from its address; null outside of an app. */
  app: null,
  /** Called when the session ends, for work that belongs to no page. */
  endListeners: new Set(),

  async load() {
    beginSession();
    this.current = await api.get("/v1/session");
    await this.loadApps();
  },

  async loadApps() {
    this.apps = (await api.get("/v1/apps", { limit: 200 })).data;
  },

  clear() {
    beginSession();
    this.current = null;
    this.apps = [];
    for (const listener of this.endListeners) listener();
  },

  /** The app that was open last in this browser, as long as the person may see it; otherwise null. */
  get lastApp() {
    const last = localStorage.getItem(item);
    return this.apps.find(({ id }) => id === last) ?? null;
  },
  /** Shows an app; null for a page outside of all. */
  open(app) {
    if (app && app !== this.app) localStorage.setItem(item, app);
    this.app = app;
  },

  get thisApp() {
    return this.apps.find((each) => each.id === this.app) ?? null;
  },

  /** The name of this app on phones, without a part in parentheses at its end. */
  get nameOnPhones() {
    return this.thisApp.name.replace(/\s*\(.*\)$/, "");
  },

  /**
   * Returns true if the person has a permission in an app; `null` asks for all apps. The pages omit actions that are
   * not permitted.
   */
  may(permission, app = this.app) {
    const { all_apps: everywhere, apps } = this.current?.permissions ?? { all_apps: [], apps: [] };
    const own = apps.find((each) => each.app_id === app)?.permissions ?? [];
    return everywhere.includes(permission) || own.includes(permission);
  },

  /** Takes a one-time token out of the URL, so that it is neither visible nor bookmarked: {purpose, token} or null. */
  takeLink() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const purpose = purposes.find((each) => fragment.has(each));
    if (!purpose) return null;
    history.replaceState(null, "", location.pathname + location.search);
    return { purpose, token: fragment.get(purpose) };
  },
};

/** The path of the app's resources in the API. */
export function inApp(path = "") {
  return `/v1/apps/${session.app}${path}`;
}

/** The address of a page of the app. */
export function page(path = "", app = session.app) {
  return `/a/${app}${path}`;
}
