// The API's reasons for a push that is not sent, in the reader's language.

import { has, t } from "../i18n.js";

export function reasonWords(reason) {
  const key = `schedule.reason.${reason.replace(/[^a-z]+(\w)/g, (_, letter) => letter.toUpperCase())}`;
  return has(key) ? t(key) : reason;
}
