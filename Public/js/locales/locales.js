// The languages of a content: the variant for a phone, and their names. No DOM.

import { language } from "../i18n.js";
import { best, canonical } from "./choice.js";

/** The key of the variant for a locale, or null for the default, which is in the language `standard`. */
export function variantFor(content, locale, standard) {
  return best(Object.keys(content.variants ?? {}), locale, standard);
}

/** The payload that a phone in this locale gets. */
export function payloadFor(content, locale, standard) {
  return content.variants?.[variantFor(content, locale, standard)] ?? content.payload;
}

/** A locale in the reader's language: "Chinese (Simplified)". */
export function localeName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Returns true for a language tag that the server accepts. */
export const isLocale = (code) => canonical(code) !== null;

/** Languages of variants to offer first. */
export const usual = [
  "en",
  "zh-Hans",
  "zh-Hant",
  "ja",
  "ko",
  "de",
  "fr",
  "es",
  "it",
  "pt-BR",
  "nl",
  "pl",
  "tr",
  "ru",
  "uk",
  "ar",
  "he",
  "hi",
  "id",
  "th",
  "vi",
];
