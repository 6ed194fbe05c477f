// A result that is counted from time to time: read again until nothing more can change.

import m from "../m.js";
import { loadTexts } from "../i18n.js";
import { api } from "../api.js";

/** Milliseconds between two looks. */
const pollMs = 15_000;

/**
 * Has `result`, null before the first answer, and `hasFailed`. `isOver(result)` ends the looks, as does `end()`.
 */
export function followCounted(path, isOver) {
  const followed = { result: null, hasFailed: false, end: () => clearInterval(timer) };
  const look = () =>
    Promise.all([api.get(path), loadTexts("test")]).then(([found]) => {
      Object.assign(followed, { result: found, hasFailed: false });
    }, () => {
      followed.hasFailed = true;
    }).then(m.redraw);
  look();
  const timer = setInterval(() => {
    if (!document.hidden && !(followed.result && isOver(followed.result))) look();
  }, pollMs);
  return followed;
}
