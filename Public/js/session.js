// The key and the app, kept for this tab only.

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

  /** Takes a key out of the address (`#key=bfs_…&app=1`), so that it is neither seen nor bookmarked. */
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
