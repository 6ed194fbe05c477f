// Mends what the server knows how to mend: signs in a placeholder that only look like Liquid's.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";

/** `payload` with each fix {from, to} in all of its texts. */
export function mended(payload, fixes) {
  if (typeof payload === "string") {
    return fixes.reduce((text, { from, to }) => text.replaceAll(from, () => to), payload);
  }
  if (Array.isArray(payload)) return payload.map((each) => mended(each, fixes));
  if (!payload || typeof payload !== "object") return payload;
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, mended(value, fixes)]));
}

/** Mends the fixable ones of `problems`; nothing when there are none. `change(payload)`. */
export const MendButton = {
  view: ({ attrs: { problems, payload, change } }) => {
    const fixes = problems.map(({ fix }) => fix).filter(Boolean);
    return fixes.length > 0 && m(
      "div",
      m(Button, {
        class: "small",
        onclick: () => change(mended(payload, fixes)),
      }, t("content.mend")),
    );
  },
};
