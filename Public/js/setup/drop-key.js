// Takes a .p8 file by dropping, choosing or pasting it. The server names what is wrong with it, before it is stored.

import m from "../m.js";
import { t } from "../i18n.js";
import { problemOfKey } from "./credential.js";
import { keyIDOf, keyText, largestKey } from "./p8.js";
import { FileDrop } from "../ui/file-drop.js";

/** `onkey({name, keyID, text})`; `file` is what was taken before; `error` is shown below. */
export function DropKey() {
  let problem = null;
  let isBusy = false;
  async function take(name, bytes, onkey) {
    isBusy = true;
    m.redraw();
    const text = bytes && keyText(bytes);
    problem = text ? await problemOfKey(text) : t("setup.p8.tooLarge");
    isBusy = false;
    if (!problem) onkey({ name, keyID: keyIDOf(name), text });
    m.redraw();
  }
  const takeFile = async (file, onkey) =>
    take(file.name, file.size <= largestKey && new Uint8Array(await file.arrayBuffer()), onkey);
  let pasted;
  return {
    oncreate: ({ attrs: { onkey } }) => {
      pasted = (event) => {
        const [file] = event.clipboardData.files;
        const text = event.clipboardData.getData("text");
        // A text that is pasted into a field of the form is a key only if it says so.
        if (!file && event.target.closest("input:not([type=file]), textarea") && !/PRIVATE\s*KEY/.test(text)) return;
        event.preventDefault();
        if (file) return takeFile(file, onkey);
        const bytes = new TextEncoder().encode(text);
        return take(t("setup.p8.pasted"), bytes.length <= largestKey && bytes, onkey);
      };
      document.addEventListener("paste", pasted);
    },
    onremove: () => document.removeEventListener("paste", pasted),
    view: ({ attrs: { onkey, file, error } }) =>
      m(FileDrop, {
        label: t("setup.p8.drop"),
        help: t(file ? "setup.p8.other" : "setup.p8.choose"),
        icon: "key",
        name: file?.name,
        isBusy,
        error: problem ?? error,
        onfile: (chosen) => takeFile(chosen, onkey),
      }),
  };
}
