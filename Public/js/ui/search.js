import m from "../m.js";
import { Icon } from "./icon.js";

/** Milliseconds after the last key. */
const typingPauseMs = 250;

/** A search field, which `/` focuses. `onsearch(text)` is called when the reader has stopped typing. */
export function Search() {
  let timer;
  let text;
  return {
    onremove: () => clearTimeout(timer),
    view: ({ attrs: { value, label, onsearch } }) =>
      m(
        "label.search",
        m("span.visually-hidden", label),
        m(Icon, { name: "search" }),
        m("input", {
          type: "search",
          placeholder: label,
          "data-search": "",
          value: text ?? value ?? "",
          maxlength: 200,
          spellcheck: false,
          oninput: (event) => {
            text = event.target.value;
            clearTimeout(timer);
            timer = setTimeout(() => {
              onsearch(text.trim());
              text = undefined;
            }, typingPauseMs);
          },
        }),
        m("kbd", { "aria-hidden": "true" }, "/"),
      ),
  };
}
