// A text field that completes {{ names }} of attributes, after the combobox pattern of the ARIA guide, and into which
// names are inserted.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { keyName } from "../keys.js";
import { Field } from "../ui/field.js";
import { insertText } from "../ui/insert-text.js";
import { InsertTools, toolKeys } from "./insert-tools.js";
import { nameAt, written } from "./liquid.js";

const most = 8;
let last = 0;

/** Like TextField, with `attributes` of `loadPreviewData`, and `names` and `hasEmoji` of `InsertTools`. */
export function SuggestField() {
  const id = `suggest-${++last}`;
  let found = [], index = 0, place = null, dom = null, opened = null;

  function complete(attributes) {
    place = dom.selectionStart === dom.selectionEnd ? nameAt(dom.value, dom.selectionStart) : null;
    const typed = place?.typed.toLowerCase();
    found = place
      ? attributes.filter(({ name }) => name.toLowerCase().startsWith(typed) && name !== place.typed).slice(0, most)
      : [];
    index = 0;
  }
  function take(name) {
    const end = dom.selectionStart;
    const closing = /^\s*(\}\}|\|)/.test(dom.value.slice(end)) ? "" : " }}";
    insertText(dom, written(name) + closing, place.start, end);
    found = [];
  }
  function press(event, has) {
    if (event.isComposing) return;
    // The panel may not be drawn yet, and the focus still here.
    if (event.key === "Escape") opened = null;
    const tool = toolKeys[keyName(event)];
    if (has[tool] && !dom.readOnly) {
      opened = tool;
      event.preventDefault();
      return;
    }
    if (!found.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) index = (index + step + found.length) % found.length;
    else if (event.key === "Escape") found = [];
    else if (event.key === "Enter" || event.key === "Tab") take(found[index].name);
    else return;
    event.preventDefault();
  }
  const tools = (label, names, hasEmoji) =>
    m(InsertTools, {
      label,
      names,
      hasEmoji,
      opened,
      onopen: (tool) => {
        opened = tool;
      },
      onclose: (isDone) => {
        opened = null;
        if (isDone) dom.focus();
      },
      oninsert: (text) => {
        opened = null;
        insertText(dom, text);
      },
    });
  return {
    view: ({ attrs }) => {
      const { label, help, error, note, remedy, optional, names, hasEmoji, ...control } = attrs;
      const { attributes = [], value = "", rows, oninput, ...rest } = control;
      delete rest.key;
      const isOpen = found.length > 0;
      return m(Field, {
        label,
        help,
        error,
        note,
        remedy,
        optional,
        extra: !rest.readonly && tools(label, names, hasEmoji),
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
              onkeydown: (event) => press(event, { name: names, emoji: hasEmoji }),
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
                      take(name);
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
