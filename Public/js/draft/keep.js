// Keeps unsaved changes in the browser's IndexedDB: a reload or a crash loses nothing.

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("belfry", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("drafts");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run(mode, work) {
  try {
    const store = (await open()).transaction("drafts", mode).objectStore("drafts");
    return await new Promise((resolve, reject) => {
      const request = work(store);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch (error) {
    // Private windows of some browsers have no IndexedDB. Saving to the server goes on.
    console.warn("Drafts are not kept in this browser.", error);
    return undefined;
  }
}

export const keep = {
  /** {base, value} of a draft, or undefined. */
  read: (key) => run("readonly", (store) => store.get(key)),
  write: (key, record) => run("readwrite", (store) => store.put(record, key)),
  remove: (key) => run("readwrite", (store) => store.delete(key)),
};
