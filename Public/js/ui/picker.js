// A search field above a list to choose from, after the combobox pattern of the ARIA guide: the focus stays in the
// field.

import m from "../m.js";

let last = 0;

/**
 * `find(text)` returns the records, each with an `id`; `option(record)` draws one, `name(record)` names it where its
 * drawing does not, and `take(record)` gets the chosen one. `none(text)` is shown when nothing is found. With `columns`
 * it is a grid, in which all four arrows move.
 */
export function Picker() {
  const id = `picker-${++last}`;
  let text = "", index = 0, dom = null;

  function press(event, { columns = 1, find, take }) {
    // The drawn list may not include the last letter yet.
    const found = find(text.trim());
    const step = { ArrowDown: columns, ArrowUp: -columns, ...(columns > 1 && { ArrowRight: 1, ArrowLeft: -1 }) }[
      event.key
    ];
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) {
      if (found[index + step]) index += step;
      requestAnimationFrame(() => dom.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
    } else if (event.key === "Enter") {
      if (found[index]) take(found[index]);
    } else return;
    event.preventDefault();
  }
  return {
    oncreate: (vnode) => {
      ({ dom } = vnode);
      dom.querySelector("input").focus({ preventScroll: true });
      dom.scrollIntoView({ block: "nearest" });
    },
    view: ({ attrs }) => {
      const { label, find, option, name = () => undefined, take, none, columns } = attrs;
      const found = find(text.trim());
      return m(
        "div.picker",
        m("input", {
          value: text,
          role: "combobox",
          autocomplete: "off",
          spellcheck: false,
          maxlength: 100,
          placeholder: label,
          "aria-label": label,
          "aria-autocomplete": "list",
          "aria-expanded": "true",
          "aria-controls": id,
          "aria-activedescendant": found[index] ? `${id}-${index}` : undefined,
          oninput: (event) => {
            text = event.target.value;
            index = 0;
          },
          onkeydown: (event) => press(event, attrs),
        }),
        m(
          "ul.picker-list",
          {
            id,
            role: "listbox",
            "aria-label": label,
            class: columns ? "grid" : "",
            style: columns && { gridTemplateColumns: `repeat(${columns}, 1fr)` },
          },
          found.map((record, at) =>
            m("li", {
              key: record.id,
              id: `${id}-${at}`,
              role: "option",
              "aria-label": name(record),
              title: name(record),
              "aria-selected": at === index ? "true" : "false",
              // The focus stays where it is typed.
              onmousedown: (event) => event.preventDefault(),
              onclick: () => take(record),
            }, option(record))
          ),
        ),
        !found.length && m("p.soft", { role: "status" }, none(text.trim())),
      );
    },
  };
}
