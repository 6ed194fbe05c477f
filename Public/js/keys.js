// Keys that work everywhere: `/` search, `j` `k` move in a list, Enter opens, `c` creates, `?` shows this list.

import { navigate } from "./router.js";

const item = "belfry.keys";
/** Keys of pages: key → function, and the text that explains it. A page adds and removes its own. */
const pageKeys = new Map();

/** Single keys can be switched off (WCAG 2.1.4). */
export const keys = {
  get areOn() {
    return localStorage.getItem(item) !== "off";
  },
  set areOn(value) {
    localStorage.setItem(item, value ? "on" : "off");
  },
};

export function onKey(key, work) {
  pageKeys.set(key, work);
  return () => pageKeys.get(key) === work && pageKeys.delete(key);
}

/** "mod+s", "alt+n", "/": a key as this module names it. Where Alt types a sign, like ñ on a Mac, it is that sign's. */
export function keyName(event) {
  const withCommand = (event.metaKey || event.ctrlKey) && !event.altKey;
  const { key } = event;
  return (withCommand ? "mod+" : "") + (event.altKey ? "alt+" : "") + (key.length === 1 ? key.toLowerCase() : key);
}

function isTyping(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function moveInList(step) {
  const rows = [...document.querySelectorAll("[data-row] .row-link")];
  if (!rows.length) return;
  const index = rows.indexOf(document.activeElement);
  rows[Math.max(0, Math.min(rows.length - 1, index < 0 ? 0 : index + step))].focus();
}

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    const withCommand = (event.metaKey || event.ctrlKey) && !event.altKey;
    const work = pageKeys.get(keyName(event));
    if (work && (withCommand || event.altKey)) {
      event.preventDefault();
      return work(event);
    }
    if (
      withCommand || event.altKey || !keys.areOn || isTyping(event.target) || document.querySelector("dialog[open]")
    ) return;
    if (work) {
      event.preventDefault();
      return work(event);
    }
    if (event.key === "/") {
      const field = document.querySelector("[data-search]");
      if (field) {
        event.preventDefault();
        field.focus();
        field.select();
      }
    }
    if (event.key === "j") moveInList(1);
    if (event.key === "k") moveInList(-1);
    if (event.key === "c") {
      const create = document.querySelector("[data-create]");
      if (create?.href) navigate(new URL(create.href).pathname);
      else create?.click();
    }
  });
}
