// Loads modules that are needed later. A browser remembers an import that failed, for instance while it was offline,
// and never repeats it: the next attempt asks for another address of the same module.

import { connection } from "./connection.js";

const attempts = new Map();

/** `path` from the folder of modules, like "editor/review.js". */
export async function loadModule(path) {
  const attempt = attempts.get(path) ?? 0;
  try {
    return await import(`./${path}${attempt ? `?attempt=${attempt}` : ""}`);
  } catch (error) {
    attempts.set(path, attempt + 1);
    connection.check();
    throw error;
  }
}
