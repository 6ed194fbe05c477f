const { draftStorage } = await import("/js/draft/draft-storage.js");
const key = "/units/keep";

return {
  "a draft is read as it was written": async () => {
    await draftStorage.write(key, { value: 1 });
    equal(await draftStorage.read(key), { value: 1 });
  },
  "a page that is left before the writing ends loses nothing": async () => {
    draftStorage.write(key, { value: 2 });
    dispatchEvent(new PageTransitionEvent("pagehide"));
    // The page that was left did not get as far as to write it.
    const kept = sessionStorage.getItem(`belfry.draft ${key}`);
    await draftStorage.write(key, { value: 1 });
    sessionStorage.setItem(`belfry.draft ${key}`, kept);
    equal(await draftStorage.read(key), { value: 2 });
    equal(await draftStorage.read(key), { value: 2 });
  },
  "a page that is left later leaves nothing behind": async () => {
    await draftStorage.write(key, { value: 3 });
    dispatchEvent(new PageTransitionEvent("pagehide"));
    equal(sessionStorage.getItem(`belfry.draft ${key}`), null);
  },
  "a removed draft is gone": async () => {
    await draftStorage.remove(key);
    equal(await draftStorage.read(key), undefined);
  },
  "a storage that never answers holds up no page": async () => {
    const { get } = Object.getOwnPropertyDescriptor(window, "indexedDB");
    Object.defineProperty(window, "indexedDB", { configurable: true, value: { open: () => ({}) } });
    const { draftStorage: silent } = await import("/js/draft/draft-storage.js?silent");
    Object.defineProperty(window, "indexedDB", { configurable: true, get });
    equal(await silent.read(key), undefined);
  },
};
