// Explains a failed sign-in in the reader's language. Has no state.

import { t } from "../i18n.js";

/** Seconds until the next try, if the error asks to wait; otherwise 0. */
export function waitOf({ status, code, retryAfter }) {
  return status === 429 || code === "too-many-attempts" ? retryAfter || 30 : 0;
}

/** The words for an error: ours for what happens to people every day, else the server's. `seconds` are left to wait. */
export function wordsOf(error, seconds) {
  if (waitOf(error)) return t("signIn.tooMany", { count: seconds });
  if (error.code === "link-is-invalid") return t("signIn.oldLink");
  return error.status === 401 ? t("signIn.wrong") : error.message;
}

/** The fewest characters of a new password. */
const shortest = 10;

/** Finds what is missing before the server is asked: {field: text's name}. `isChosen`: the password is a new one. */
export function missingIn({ name, email, password }, asks, isChosen) {
  const missing = {};
  if (asks.includes("name") && !name.trim()) missing.name = "signIn.noName";
  if (asks.includes("email") && !/^[^\s@]+@[^\s@]+$/.test(email.trim())) missing.email = "signIn.noEmail";
  if (!password) missing.password = "signIn.noPassword";
  else if (isChosen && [...password].length < shortest) missing.password = "signIn.short";
  return missing;
}
