// Apple's and Belfry's reasons in words. Codes that are not known here are shown as they are.

import { has, t } from "./i18n.js";

function key(reason, part) {
  return `reasons.of.${reason}.${part}`;
}

/** The reason in words, or the code itself. An outcome may have no reason. */
export function reasonName(reason) {
  if (!reason) return t("reasons.none");
  return has(key(reason, "name")) ? t(key(reason, "name")) : reason;
}

/** The advice for a reason, or null. */
export function reasonAdvice(reason) {
  return reason && has(key(reason, "advice")) ? t(key(reason, "advice")) : null;
}

/** The code for support and search, null if the words say as much. Apple's codes are single capitalised words. */
export function reasonCode(reason) {
  return reason && /^[A-Z]\w+$/.test(reason) ? reason : null;
}
