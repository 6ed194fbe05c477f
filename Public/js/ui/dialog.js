import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "./button.js";

/**
 * A native dialog, open for as long as it is drawn. `onclose` is called when it is dismissed with Escape; the page then
 * stops drawing it. The focus returns to where it was.
 */
export function Dialog() {
  let opener;
  return {
    oncreate: ({ dom }) => {
      opener = document.activeElement;
      dom.showModal();
      // Browsers may begin at a row of tabs, because it scrolls.
      (dom.querySelector("[autofocus]") ?? dom.querySelector("input, textarea, select"))?.focus();
    },
    onremove: ({ dom }) => {
      // While it is modal, nothing behind it takes the focus.
      dom.close();
      if (opener?.isConnected) opener.focus();
    },
    view: ({ attrs: { title, onclose, wide, actions }, children }) =>
      m(
        "dialog",
        {
          class: wide ? "wide" : "",
          "aria-label": title,
          oncancel: (event) => {
            event.preventDefault();
            onclose();
          },
        },
        m("h2", title),
        m("div.dialog-body", children),
        actions && m("div.dialog-actions", actions),
      ),
  };
}

let question = null;

/**
 * Asks before something is lost: resolves to true or false. `confirm` says what will happen; `typed` is a text that
 * must be typed first (separators do not matter).
 */
export function ask({ title, text, confirm, variant = "danger", cancel = t("action.back"), typed = null, typedLabel }) {
  return new Promise((resolve) => {
    question = { title, text, confirm, variant, cancel, typed, typedLabel, value: "", resolve };
    m.redraw();
  });
}

function answer(value) {
  const { resolve } = question;
  question = null;
  resolve(value);
  m.redraw();
}

const plain = (text) => text.replace(/[\s.,'’\u202f\u00a0]/g, "");

/** Drawn once, in the shell. */
export const Question = {
  view: () => {
    if (!question) return null;
    const { title, text, confirm, variant, cancel, typed, typedLabel, value } = question;
    const isReady = typed === null || plain(value) === plain(typed);
    return m(
      Dialog,
      {
        title,
        onclose: () => answer(false),
        actions: [
          m(Button, { variant, onclick: () => answer(true), reason: isReady ? undefined : typedLabel }, confirm),
          m(Button, { onclick: () => answer(false), autofocus: typed === null }, cancel),
        ],
      },
      m("p.soft", text),
      typed !== null && m(
        "label.field",
        m("span.field-label", typedLabel),
        m("input", {
          inputmode: /^[\d\s.,]+$/.test(typed) ? "numeric" : undefined,
          autocapitalize: "off",
          autocomplete: "off",
          spellcheck: false,
          autofocus: true,
          value,
          oninput: (event) => {
            question.value = event.target.value;
          },
          onkeydown: (event) => {
            if (event.key !== "Enter" || plain(event.target.value) !== plain(typed)) return;
            // The key press must not reach the button that gets the focus back.
            event.preventDefault();
            answer(true);
          },
        }),
      ),
    );
  },
};
