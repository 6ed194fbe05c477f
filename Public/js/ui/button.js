import m from "../m.js";
import { Icon } from "./icon.js";
import { Spinner } from "./spinner.js";

/**
 * A button, or with `href` a link that looks like one. `variant`: strong (one on a page), danger, plain, or none. While
 * `onclick` returns a promise that is not settled, the button is busy and keeps its width. With `reason` it can't be
 * pressed; it says why while it is pointed at or has the focus, so that a finger and a keyboard learn it too.
 */
export function Button() {
  let isBusy = false;
  function press(event, onclick) {
    const work = onclick?.(event);
    if (typeof work?.then !== "function") return;
    isBusy = true;
    work.finally(() => {
      isBusy = false;
      m.redraw();
    });
  }
  return {
    view: ({ attrs, children }) => {
      const { variant = "", icon, onclick, href, reason, busy, class: more = "", type = "button", ...rest } = attrs;
      delete rest.key;
      const content = [icon && m(Icon, { name: icon }), m("span.label", children), (isBusy || busy) && m(Spinner)];
      const classes = ["button", variant, more, (isBusy || busy) && "busy"].filter(Boolean).join(" ");
      if (href && !reason) return m("a", { ...rest, href, class: classes, onclick }, content);
      return m("button", {
        ...rest,
        type,
        class: classes,
        "aria-disabled": reason || isBusy || busy ? "true" : undefined,
        "aria-description": reason,
        "data-reason": reason,
        onclick: (event) => {
          if (reason || isBusy || busy) return event.preventDefault();
          press(event, onclick);
        },
      }, content);
    },
  };
}
