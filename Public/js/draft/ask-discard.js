// Asks before changes are dropped: lists them by the names of the form, and can bring them back.

import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { partName } from "../problems/part-name.js";
import { ask } from "../ui/dialog.js";
import { toast } from "../ui/toast.js";

/** The parts that are named; the rest is counted. */
const most = 6;

/**
 * `parts` are the names of what changed; `discard()` drops it and returns a function that brings it back. Resolves to
 * whether it was dropped.
 */
export async function askDiscard({ parts, discard }) {
  const names = [...new Set(parts)];
  const shown = names.slice(0, most);
  if (names.length > most) shown.push(t("draft.moreParts", { count: names.length - most }));
  const agrees = await ask({
    title: t("draft.discardTitle"),
    text: t("draft.discardText", { parts: list(shown) }),
    confirm: t("draft.discardConfirm", { count: parts.length }),
  });
  if (!agrees) return false;
  toast(t("draft.discarded"), { undo: discard() });
  return true;
}

/** Asks before the changes of a `Draft` are dropped. */
export function askDiscardDraft(draft) {
  const parts = draft.differences.map(({ path }) => partName(path) || t("editor.field.payload"));
  return askDiscard({ parts, discard: () => draft.discard() });
}
