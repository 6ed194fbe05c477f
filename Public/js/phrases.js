// Texts put together from parts, as the reader's language does it. A page never writes a comma, a colon or a space
// between two texts itself: Chinese has its own, and 、 and 和 join nouns only.

import { format, language, locale, spaceBetween, t } from "./i18n.js";

/** Nouns as a part of a sentence: "a, b and c". */
export function list(parts, type = "conjunction") {
  return written(parts, { type });
}

/** Nouns beside each other: "a, b, c". */
export function enumeration(parts) {
  return written(parts, { type: "conjunction", style: "narrow" });
}

/** Chinese has a space where its characters meet letters or figures of a part. */
function written(parts, options) {
  return format("ListFormat", options).formatToParts(parts).reduce(
    (text, { value }) => text + spaceBetween(text.slice(-1), value) + value,
    "",
  );
}

/** Clauses of one sentence, or facts about one thing: "12 lines are fine, 3 would be refused". */
export function clauses(parts) {
  return parts.join(t("phrase.clause"));
}

/** Independent statements in one line: "token is required; locale is unknown". */
export function statements(parts) {
  return parts.join(t("phrase.statement"));
}

// Intl joins nouns: for clauses, Chinese has other words.
const chineseConditions = { conjunction: "，且", disjunction: "，或" };
/** Conditions that hold together, or one of which holds: "the tag is set and the language is German". */
export function conditions(parts, type) {
  if (language !== "zh") return list(parts, type);
  const word = chineseConditions[type];
  return parts.map((part, index) => (index ? word + spaceBetween(word.slice(-1), part) + part : part)).join("");
}

/** Sentences one after the other; those that are absent are left out. */
export function sentences(parts) {
  return parts.filter(Boolean).join(t("phrase.gap"));
}

/** A text with its name in front: "Delete: AB12". */
export function labelled(label, text) {
  return t("phrase.labelled", { label, text });
}

/** A text with an addition: "Order (Buy, Later)". */
export function withAddition(text, addition) {
  return t("phrase.addition", { text, addition });
}

/** A part of a sentence as its beginning. */
export function capital(text) {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

/** A text as a sentence, with the full stop of its script. */
export function stopped(text) {
  if (/[.!?。！？]$/.test(text)) return text;
  return text + (/[\p{Script=Han}）”]$/u.test(text) ? "。" : ".");
}
