// What the views share to touch the page.

export const byID = (id) => document.getElementById(id);

/** Untouched when it says so already: selections and screen readers are left in peace. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Words, or nothing at all. */
export function say(element, words) {
  setText(element, words ?? "");
  element.hidden = !words;
}

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A push as a phone shows it. */
export function showPush(element, app, title, body) {
  setText(element.querySelector(".push-app"), app);
  setText(element.querySelector(".push-title"), title);
  setText(element.querySelector(".push-body"), body);
}

/** A question that must be answered; true for yes. */
export function ask({ title, words, yes, isGrave }) {
  const dialog = byID("ask");
  setText(byID("ask-title"), title);
  setText(byID("ask-words"), words);
  setText(byID("ask-yes"), yes);
  byID("ask-yes").className = isGrave ? "grave" : "strong";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
