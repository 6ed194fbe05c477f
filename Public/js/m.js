// Mithril (https://mithril.js.org), which is loaded as a plain script: hyperscript, components, and drawing what
// changed.

const { m } = window;
if (!m) {
  document.body.textContent =
    "Public/vendor/mithril.js is missing. Run Scripts/vendor on the server, and load this page again.";
}

// Mithril 1 draws immediately when it has not drawn for 16 ms. A component that asks for it while the page is being
// drawn, as one does that leads on to another address, would then start a second drawing inside of the first.
const draw = m.redraw;
let isAsked = false;
m.redraw = () => {
  if (isAsked) return;
  isAsked = true;
  queueMicrotask(() => {
    isAsked = false;
    draw();
  });
};

/** Returns true for attributes of an element, false for a child. */
function isAttributes(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !("tag" in value);
}

const hooks = new Set(["oninit", "oncreate", "onupdate", "onbeforeupdate", "onbeforeremove", "onremove"]);
const wrapped = new WeakSet();

/**
 * An arrow function returns what it happens to compute, and for `false` the browser would not do what the event is for.
 */
function withoutResult(handler) {
  if (wrapped.has(handler)) return handler;
  function handle(event) {
    handler.call(this, event);
  }
  wrapped.add(handle);
  return handle;
}

/**
 * Mithril 1 leaves an attribute as it was when its next value is undefined, so that a field would stay invalid and a
 * button busy. Without the member it removes the attribute.
 */
function hyperscript(selector, ...rest) {
  const [attrs] = rest;
  if (typeof selector === "string" && isAttributes(attrs)) {
    for (const name of Object.keys(attrs)) {
      if (typeof attrs[name] === "function" && name.startsWith("on") && !hooks.has(name)) {
        attrs[name] = withoutResult(attrs[name]);
      }
      if (attrs[name] !== undefined) continue;
      // Removing the class would take the selector's classes along.
      if (name === "class") attrs.class = "";
      else delete attrs[name];
    }
  }
  return m(selector, ...rest);
}

export default Object.assign(hyperscript, m);
