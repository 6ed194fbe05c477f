// The state of the last change of a draft: saved, being saved, or failed.

import m from "../m.js";
import { city, clock, t } from "../i18n.js";

/** "Saved 19:04 Berlin", said aloud when it goes wrong only. */
export const SaveStatus = {
  view: ({ attrs: { draft } }) => {
    const { status, savedAt, message } = draft;
    // A template's changes are no part of the campaign before they are published.
    const isUnpublished = status === "saved" &&
      draft.problems.some(({ code, path }) => code === "unsaved" && path === "template");
    const text = isUnpublished
      ? t("editor.unpublished")
      : status === "saved"
      ? (savedAt ? t("editor.saved", { time: clock(savedAt), city: city() }) : "")
      : status === "refused"
      ? (draft.problems.length ? t("editor.refused") : message)
      : t(`editor.${status}`);
    const isBad = isUnpublished || ["kept", "refused", "conflict"].includes(status);
    return m("span.save-status", {
      class: isBad ? "warn" : "soft",
      role: isBad ? "alert" : undefined,
      "data-status": status,
    }, text);
  },
};
