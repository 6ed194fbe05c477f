// A text field that completes {{ names }} of attributes, after the combobox pattern of the ARIA guide.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { Field } from "../ui/field.js";
import { nameAt, written } from "./liquid.js";

const most = 8;
let last = 0;

/** Like TextField, with `attributes` of `loadPreviewData`. */
export function SuggestField() {
  const id = `suggest-${++last}`;
  let found = [], index = 0, place = null, dom = null;

  function complete(attributes) {
    place = dom.selectionStart === dom.selectionEnd ? nameAt(dom.value, dom.selectionStart) : null;
    const typed = place?.typed.toLowerCase();
    found = place
      ? attributes.filter(({ name }) => name.toLowerCase().startsWith(typed) && name !== place.typed).slice(0, most)
      : [];
    index = 0;
  }
  function take(name, oninput) {
    const end = dom.selectionStart;
    const rest = dom.value.slice(end);
    const closing = /^\s*(\}\}|\|)/.test(rest) ? "" : " }}";
    const before = dom.value.slice(0, place.start) + written(name) + closing;
    found = [];
    oninput(before + rest);
    requestAnimationFrame(() => {
      dom.focus();
      dom.setSelectionRange(before.length, before.length);
    });
  }
  return {
    view: (
      {
        attrs: {
          label,
          help,
          error,
          note,
          remedy,
          optional,
          extra,
          attributes = [],
          value = "",
          rows,
          oninput,
          ...rest
        },
      },
    ) => {
      delete rest.key;
      const isOpen = found.length > 0;
      return m(Field, {
        label,
        help,
        error,
        note,
        remedy,
        optional,
        extra,
        class: "suggest",
        control: (aria) =>
          m(
            "div.suggest-box",
            m(rows ? "textarea" : "input", {
              ...rest,
              ...aria,
              rows,
              value,
              role: "combobox",
              "aria-expanded": isOpen ? "true" : "false",
              "aria-autocomplete": "list",
              "aria-controls": id,
              "aria-activedescendant": isOpen ? `${id}-${index}` : undefined,
              oncreate: (vnode) => {
                dom = vnode.dom;
              },
              oninput: (event) => {
                oninput(event.target.value);
                complete(attributes);
              },
              onclick: () => complete(attributes),
              onblur: (event) => {
                // A field that is removed loses the focus in the middle of a drawing, which must not begin another one.
                event.redraw = false;
                if (found.length) requestAnimationFrame(() => m.redraw());
                found = [];
              },
              onkeydown: (event) => {
                if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
                const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (step) index = (index + step + found.length) % found.length;
                else if (event.key === "Escape") found = [];
                else if (event.key === "Enter" || event.key === "Tab") take(found[index].name, oninput);
                else return;
                event.preventDefault();
              },
            }),
            m(
              "ul.suggestions",
              { id, role: "listbox", "aria-label": t("content.attributes"), hidden: !isOpen },
              found.map(({ name, share: part, sample }, at) =>
                m(
                  "li",
                  {
                    key: name,
                    id: `${id}-${at}`,
                    role: "option",
                    "aria-selected": at === index ? "true" : "false",
                    onmousedown: (event) => {
                      event.preventDefault();
                      take(name, oninput);
                    },
                  },
                  m("code", name),
                  m("span.cut.soft", sample),
                  m("span.meta.push", t("content.coverage", { share: share(part, 1, 0) })),
                )
              ),
            ),
          ),
      });
    },
  };
}
