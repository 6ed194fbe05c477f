import m from "../m.js";
import { Icon } from "./icon.js";

/**
 * A button that opens a list of actions or links: `items` are {label, icon, onclick or href,
 * variant}; falsy ones are left out.
 */
export function Menu() {
  let dom;
  const close = () => {
    if (dom.open) dom.open = false;
  };
  const outside = (event) => dom.contains(event.target) || close();
  return {
    oncreate: (vnode) => {
      dom = vnode.dom;
      document.addEventListener("click", outside);
    },
    onremove: () => document.removeEventListener("click", outside),
    view: ({ attrs: { label, icon, items, class: more = "", hidden }, children }) =>
      m(
        "details.menu",
        {
          class: more,
          onkeydown: (event) => {
            const entries = [...event.currentTarget.querySelectorAll("[role=menuitem]")];
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (event.key === "Escape") {
              close();
              event.currentTarget.querySelector("summary").focus();
            } else if (step && event.currentTarget.open) {
              event.preventDefault();
              const index = entries.indexOf(document.activeElement);
              entries[
                index < 0 ? (step > 0 ? 0 : entries.length - 1) : (index + step + entries.length) % entries.length
              ].focus();
            }
          },
        },
        m(
          "summary.button",
          { "aria-label": hidden ? label : undefined, title: hidden ? label : undefined },
          icon && m(Icon, { name: icon }),
          children?.length ? children : !hidden && m("span.label", label),
        ),
        // Until the menu is closed, nothing below it can be touched: it would be half covered.
        m("div.menu-veil", { onclick: close }),
        m(
          "div.menu-items",
          { role: "menu" },
          items.filter(Boolean).map((each) =>
            m(
              each.href ? "a" : "button",
              {
                role: "menuitem",
                class: each.variant,
                ...(each.href ? { href: each.href } : { type: "button" }),
                "aria-current": each.isCurrent ? "true" : undefined,
                onclick: (event) => {
                  close();
                  return each.onclick?.(event);
                },
              },
              each.icon && m(Icon, { name: each.icon }),
              each.label,
            )
          ),
        ),
      ),
  };
}
