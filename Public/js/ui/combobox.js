// A field that finds records by a part of their name, after the combobox pattern of the ARIA guide.

import m from "../m.js";
import { t } from "../i18n.js";
import { Field } from "./field.js";
import { toastError } from "./toast.js";

/** Milliseconds after the last key. */
const typingPauseMs = 200;
let last = 0;

/**
 * `search(text, signal)` returns records with an `id`, `option(record)` draws one, and `take(record)` gets the chosen
 * one. `none` is shown if there is nothing to choose from. `erase()` is called for Backspace in the empty field, and
 * `frame(input)` draws the input among other things.
 */
export function Combobox() {
  const id = `combobox-${++last}`;
  /** `abort` ends the last search. It is null when the list is closed and no answer will open it. */
  let attrs, text = "", found = null, index = 0, abort = null;

  function search(wait) {
    abort?.abort();
    const { signal } = (abort = new AbortController());
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        const records = await attrs.search(text.trim(), signal);
        if (signal.aborted) return;
        [found, index] = [records, 0];
        m.redraw();
      } catch (error) {
        if (!signal.aborted) toastError(error);
      }
    }, wait);
  }
  function close() {
    abort?.abort();
    abort = found = null;
  }
  function take(record) {
    text = "";
    close();
    attrs.take(record);
  }
  function press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !found) search(0);
    else if (step) index = (index + step + found.length) % Math.max(1, found.length);
    else if (event.key === "Enter" && found?.[index]) take(found[index]);
    else if (event.key === "Backspace" && !text) attrs.erase?.();
    else if (event.key === "Escape" && abort) close();
    else return;
    event.preventDefault();
  }

  const Option = (record, at) =>
    m("li", {
      key: record.id,
      id: `${id}-${at}`,
      role: "option",
      "aria-selected": at === index ? "true" : "false",
      onmousedown: (event) => {
        event.preventDefault();
        take(record);
      },
    }, attrs.option(record));

  function control(aria) {
    const { label, placeholder, none, frame = (input) => input } = attrs;
    return m(
      "div.suggest-box",
      frame(m("input", {
        ...aria,
        value: text,
        role: "combobox",
        autocomplete: "off",
        spellcheck: false,
        maxlength: 200,
        placeholder,
        "aria-autocomplete": "list",
        "aria-expanded": found ? "true" : "false",
        "aria-controls": `${id}-list`,
        "aria-activedescendant": found?.length ? `${id}-${index}` : undefined,
        oninput: (event) => {
          text = event.target.value;
          search(typingPauseMs);
        },
        onclick: () => found ?? search(0),
        onkeydown: press,
        onblur: (event) => {
          // It may be removed in the middle of a drawing, which must not begin another one.
          event.redraw = false;
          if (found) requestAnimationFrame(() => m.redraw());
          close();
        },
      })),
      m(
        "ul.suggestions",
        { id: `${id}-list`, role: "listbox", "aria-label": label, hidden: !found },
        found && (found.length ? found.map(Option) : m(
          "li.soft",
          { role: "option", "aria-disabled": "true", "aria-selected": "false" },
          text.trim() ? t("list.nothing", { text }) : none,
        )),
      ),
    );
  }

  return {
    onremove: close,
    view: (vnode) => {
      ({ attrs } = vnode);
      const { label, help, hidden } = attrs;
      return m(Field, { label, help, hidden, control });
    },
  };
}
