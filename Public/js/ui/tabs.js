import m from "../m.js";

/** Tabs: `tabs` are {id, label, badge}; arrow keys move between them. `href(id)` makes them links. */
export const Tabs = {
  view: ({ attrs: { label, tabs, active, onchange, href } }) => {
    const move = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = [...event.currentTarget.querySelectorAll("[role=tab]")];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
    };
    return m(
      "div.tabs",
      { role: "tablist", "aria-label": label, onkeydown: move },
      tabs.map(({ id, label, badge, variant }) =>
        m(
          href ? "a.tab" : "button.tab",
          {
            key: id,
            role: "tab",
            "aria-selected": id === active ? "true" : "false",
            tabindex: id === active ? 0 : -1,
            class: variant,
            ...(href ? { href: href(id) } : { type: "button" }),
            onclick: () => onchange?.(id),
          },
          label,
          badge !== undefined && badge !== null && m("span.tab-badge", badge),
        )
      ),
    );
  },
};
