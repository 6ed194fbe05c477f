import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "./button.js";
import { toast } from "./toast.js";

/** A text to copy, in a box with a button. */
export const Copy = {
  view: ({ attrs: { text, label, secret } }) =>
    m(
      "div.copy",
      m("pre", { tabindex: 0, "aria-label": label }, m("code", secret ? "•".repeat(24) : text)),
      m(Button, { icon: "clipboard", onclick: () => copy(text) }, t("action.copy")),
    ),
};

export async function copy(text) {
  await navigator.clipboard.writeText(text);
  toast(t("action.copied"));
}
