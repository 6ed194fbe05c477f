// The key and the app, stored for this tab only.

const keyItem = "belfry.key";
const appItem = "belfry.app";

export const session = {
  get key() { return sessionStorage.getItem(keyItem); },
  set key(key) { sessionStorage.setItem(keyItem, key); },
  get app() { return sessionStorage.getItem(appItem); },
  set app(app) { sessionStorage.setItem(appItem, app); },

  clear() {
    sessionStorage.removeItem(keyItem);
    sessionStorage.removeItem(appItem);
  },

  /** Moves a key from the URL (`#key=bfs_…&app=1`) to the session, so that it is neither visible nor bookmarked. */
  takeFromAddress() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const key = fragment.get("key");
    if (!key) return false;
    this.clear();
    this.key = key.trim();
    if (fragment.get("app")) this.app = fragment.get("app");
    history.replaceState(null, "", location.pathname + location.search);
    return true;
  },
};
