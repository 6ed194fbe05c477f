// A panel below its button, for what is needed for a moment.

import m from "../m.js";
import { Button } from "./button.js";

/**
 * `button` are the attributes of the button, `text` is in it, and `label` names the panel, which has the children while
 * `isOpen`. `onopen()` is called by the button. `onclose(isDone)` is called with true by Escape and by a press beside
 * the panel, and with false when the focus has gone elsewhere.
 */
export function Popover() {
  let dom;
  const isElsewhere = (target) => target instanceof Node && !dom.contains(target);
  const panel = (label, onclose, children) => [
    // Until the panel is closed, nothing below it can be touched: it would be half covered.
    m("div.menu-veil", { onclick: () => onclose(true) }),
    m("div.popover-panel", {
      role: "dialog",
      "aria-label": label,
      tabindex: -1,
      oncreate: (vnode) => {
        // Keys belong to the panel from now on, also while its content is loaded.
        vnode.dom.focus({ preventScroll: true });
        vnode.dom.scrollIntoView({ block: "nearest" });
      },
    }, children),
  ];
  return {
    oncreate: (vnode) => {
      ({ dom } = vnode);
    },
    view: ({ attrs: { button, text, label, isOpen, onopen, onclose }, children }) =>
      m(
        "div.popover",
        {
          onkeydown: (event) => {
            if (event.key === "Escape" && isOpen) {
              event.preventDefault();
              onclose(true);
            } else event.redraw = false;
          },
          onfocusout: (event) => {
            // Removing the focused element blurs it without a target, which must not start another redraw.
            if (isOpen && isElsewhere(event.relatedTarget)) onclose(false);
            else event.redraw = false;
          },
        },
        m(Button, {
          ...button,
          "aria-expanded": isOpen ? "true" : "false",
          "aria-haspopup": "dialog",
          onclick: () => (isOpen ? onclose(true) : onopen()),
        }, text),
        isOpen && panel(label, onclose, children),
      ),
  };
}
