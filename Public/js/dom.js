// DOM helpers of the views.

export const byID = (id) => document.getElementById(id);

/** Sets the text only if it differs, to keep selections and not to disturb screen readers. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows a message, or hides the element if there is none. */
export function showMessage(element, message) {
  setText(element, message ?? "");
  element.hidden = !message;
}

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Shows a push as a device displays it. */
export function showPush(element, app, title, body) {
  setText(element.querySelector(".push-app"), app);
  setText(element.querySelector(".push-title"), title);
  setText(element.querySelector(".push-body"), body);
}

/** Shows a modal question. Resolves to true for yes. */
export function ask({ title, message, yes, isDestructive }) {
  const dialog = byID("ask");
  setText(byID("ask-title"), title);
  setText(byID("ask-message"), message);
  setText(byID("ask-yes"), yes);
  byID("ask-yes").className = isDestructive ? "grave" : "strong";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
