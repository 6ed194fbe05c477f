// The state of the last change of a draft: saved, being saved, or failed.

import m from "../m.js";
import { city, clock, t } from "../i18n.js";

/** "Saved 19:04 Berlin", said aloud when it goes wrong only. */
export const SaveStatus = {
  view: ({ attrs: { draft } }) => {
    const { status, savedAt, message } = draft;
    const text = status === "saved"
      ? (savedAt ? t("editor.saved", { time: clock(savedAt), city: city() }) : "")
      : status === "refused"
      ? (draft.problems.length ? t("editor.refused") : message)
      : t(`editor.${status}`);
    const isBad = ["kept", "refused", "conflict"].includes(status);
    return m("span.save-status", {
      class: isBad ? "warn" : "soft",
      role: isBad ? "alert" : undefined,
      "data-status": status,
    }, text);
  },
};
