// Who is signed in, and the app that this tab shows. The session itself is in a cookie that scripts can't read.

const appItem = "belfry.app";

/** The one-time addresses: `#set-up=…`, `#password=…`, `#sign-in=…`. */
const purposes = ["set-up", "password", "sign-in"];

export const session = {
  /** The answer of `GET /v1/session`, or null. */
  current: null,

  get app() { return sessionStorage.getItem(appItem); },
  set app(app) { sessionStorage.setItem(appItem, app); },

  clear() {
    this.current = null;
    sessionStorage.removeItem(appItem);
  },

  /** Whether the person has a permission in an app. What is not permitted is not offered. */
  may(permission, app) {
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
