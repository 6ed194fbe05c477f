// Makes a template of a campaign's text, to begin other texts with.

import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { setMembers } from "../payload/fields.js";
import { inApp } from "../session.js";
import { toast, toastError } from "../ui/toast.js";

/** `content` of a source, and the template's `name`. */
export async function saveAsTemplate(content, name) {
  try {
    const body = { name, content: setMembers(content, ["variants", "media"]) };
    await api.post(inApp("/templates"), body, { idempotencyKey: newIdempotencyKey() });
    toast(t("content.templateMade", { name }));
  } catch (error) {
    toastError(error);
  }
}
