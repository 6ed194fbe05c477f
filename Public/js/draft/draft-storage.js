// Keeps unsaved changes in the browser's IndexedDB: a reload or a crash loses nothing.

/** The time in milliseconds that a page waits for the browser's storage: some browsers never answer. */
const readTimeoutMs = 2_000;

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

/** What a promise resolves to, or undefined after the time in milliseconds. */
async function within(timeoutMs, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      console.warn("The browser's storage does not answer: the page shows what the server has.");
      resolve();
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
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
    if (!record) return within(readTimeoutMs, run("readonly", (store) => store.get(key)));
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
