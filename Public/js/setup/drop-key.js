// Takes a .p8 file by dropping or choosing it. It is read here in the browser.

import m from "../m.js";
import { t } from "../i18n.js";
import { FileDrop } from "../ui/file-drop.js";
import { keyIDOf, largestKey, problemOfKey } from "./p8.js";

/** `onkey({name, keyID, text})`; `file` is what was taken before; `error` is shown below. */
export function DropKey() {
  let problem = null;
  async function take(file, onkey) {
    const text = file.size > largestKey * 4 ? "x".repeat(largestKey + 1) : await file.text();
    problem = problemOfKey(text);
    if (!problem) onkey({ name: file.name, keyID: keyIDOf(file.name), text });
    m.redraw();
  }
  return {
    view: ({ attrs: { onkey, file, error } }) => m(FileDrop, {
      label: t("setup.p8.drop"), help: t(file ? "setup.p8.other" : "setup.p8.choose"), icon: "key", accept: ".p8", name: file?.name,
      error: problem ? t(`setup.p8.${problem}`) : error, onfile: (chosen) => take(chosen, onkey),
    }),
  };
}
