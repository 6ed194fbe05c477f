// A panel below its button, for what is needed for a moment.

import m from "../m.js";
import { Button } from "./button.js";

/**
 * `button` are the attributes of the button, `text` is in it, and `label` names the panel, which has the children while
 * `isOpen`. `onopen()` is called by the button. `onclose(isDone)` is called by the button and by Escape, with true, and
 * when something else is used instead, with false: then the focus is elsewhere already.
 */
export function Popover() {
  let dom, attrs;
  const isElsewhere = (target) => target instanceof Node && !dom.contains(target);
  const outside = (event) => {
    if (!attrs.isOpen || !isElsewhere(event.target)) return;
    attrs.onclose(false);
    m.redraw();
  };
  return {
    oncreate: (vnode) => {
      ({ dom } = vnode);
      document.addEventListener("pointerdown", outside);
    },
    onremove: () => document.removeEventListener("pointerdown", outside),
    view: (vnode) => {
      ({ attrs } = vnode);
      const { button, text, label, isOpen, onopen, onclose } = attrs;
      return m(
        "div.popover",
        {
          onkeydown: (event) => {
            if (event.key === "Escape" && isOpen) {
              event.preventDefault();
              onclose(true);
            } else event.redraw = false;
          },
          onfocusout: (event) => {
            // What is removed while the panel is drawn loses the focus to nothing, and must not begin another drawing.
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
        isOpen && m("div.popover-panel", {
          role: "dialog",
          "aria-label": label,
          tabindex: -1,
          oncreate: (panel) => {
            // Keys belong to the panel from now on, also while its content is loaded.
            panel.dom.focus({ preventScroll: true });
            panel.dom.scrollIntoView({ block: "nearest" });
          },
        }, vnode.children),
      );
    },
  };
}
