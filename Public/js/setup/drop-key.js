// Takes a .p8 file by dropping or choosing it. It is read here in the browser.

import m from "../m.js";
import { t } from "../i18n.js";
import { Icon } from "../ui/icon.js";
import { keyIDOf, largestKey, problemOfKey } from "./p8.js";

/** `onkey({name, keyID, text})`; `file` is what was taken before; `error` stands below. */
export function DropKey() {
  let isOver = false;
  let problem = null;
  async function take(file, onkey) {
    if (!file) return;
    const text = file.size > largestKey * 4 ? "x".repeat(largestKey + 1) : await file.text();
    problem = problemOfKey(text);
    if (!problem) onkey({ name: file.name, keyID: keyIDOf(file.name), text });
    m.redraw();
  }
  return {
    view: ({ attrs: { onkey, file, error } }) => {
      const wrong = problem ? t(`setup.p8.${problem}`) : error;
      return m("div.field", { class: wrong ? "invalid" : "" }, m("label.drop", {
        class: `${isOver ? "over" : ""} ${file ? "full" : ""}`,
        ondragover: (event) => {
          event.preventDefault();
          isOver = true;
        },
        ondragleave: () => { isOver = false; },
        ondrop: (event) => {
          event.preventDefault();
          isOver = false;
          return take(event.dataTransfer.files[0], onkey);
        },
      },
      m(Icon, { name: file ? "check-circle" : "key" }),
      m("b", file ? file.name : t("setup.p8.drop")),
      m("span.soft.meta", file ? t("setup.p8.other") : t("setup.p8.choose")),
      m("input.visually-hidden", {
        type: "file", accept: ".p8", "aria-invalid": wrong ? "true" : undefined, onchange: (event) => take(event.target.files[0], onkey),
      })), wrong && m("p.field-help.grave", { role: "alert" }, wrong));
    },
  };
}
