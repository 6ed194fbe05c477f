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

/**
 * Records by key whose writing is not finished. A page that is left takes them to `sessionStorage`, which is
 * synchronous.
 */
const unfinished = new Map();
const left = (key) => `belfry.draft ${key}`;

addEventListener("pagehide", () => {
  for (const [key, record] of unfinished) {
    try {
      sessionStorage.setItem(left(key), JSON.stringify(record));
    } catch (error) {
      console.warn("The last letters of a draft are not kept: the browser's storage is full.", error);
    }
  }
});

/** A record that the page before could not finish writing, or undefined. */
function takeLeft(key) {
  const text = sessionStorage.getItem(left(key));
  sessionStorage.removeItem(left(key));
  return text === null ? undefined : JSON.parse(text);
}

export const draftStorage = {
  /** {base, value} of a draft, or undefined. */
  async read(key) {
    const record = takeLeft(key);
    if (!record) return run("readonly", (store) => store.get(key));
    draftStorage.write(key, record);
    return record;
  },
  async write(key, record) {
    unfinished.set(key, record);
    await run("readwrite", (store) => store.put(record, key));
    if (unfinished.get(key) === record) unfinished.delete(key);
  },
  remove(key) {
    unfinished.delete(key);
    return run("readwrite", (store) => store.delete(key));
  },
};
