import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { errorText } from "../problems/error-text.js";
import { Button } from "./button.js";

/** Milliseconds that a message stays; one that can be undone stays longer. */
const shownMs = 5_000;
const undoableMs = 10_000;
const limit = 3;

let toasts = [];
let last = 0;

/** Says that something happened: `toast("Archived.", {undo: () => …})`. Screen readers hear it. */
export function toast(text, { undo, variant = "" } = {}) {
  const id = ++last;
  toasts = [...toasts.slice(1 - limit), { id, text, undo, variant }];
  setTimeout(() => dismiss(id), undo ? undoableMs : shownMs);
  m.redraw();
}

/** Tells an error of an action. */
export function toastError(error) {
  toast(errorText(error), { variant: "danger" });
}

function dismiss(id) {
  toasts = toasts.filter((each) => each.id !== id);
  m.redraw();
}

/** Drawn once, in the shell. */
export const Toasts = {
  view: () =>
    m(
      "div.toasts",
      { role: "status", "aria-live": "polite" },
      toasts.map(({ id, text, undo, variant }) =>
        m(
          "div.toast",
          { key: id, class: variant },
          m("span", { lang: langOf(text) }, text),
          undo && m(Button, {
            variant: "plain",
            onclick: () => {
              dismiss(id);
              return undo();
            },
          }, t("action.undo")),
          m("button.close", { type: "button", "aria-label": t("action.close"), onclick: () => dismiss(id) }, "×"),
        )
      ),
    ),
};
