// Chooses the variant of a content for a phone, as the server does (Docs/api.md, "Languages"). No DOM.

import { language } from "../i18n.js";

/** zh-Hant-HK, zh-Hant, zh: from the exact locale to the language. */
export function chain(locale) {
  const parts = locale.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
}

/** The key of the variant for a locale, or null for the default. */
export function variantFor(content, locale) {
  return chain(locale).find((each) => content.variants?.[each]) ?? null;
}

/** The payload that a phone in this locale gets. */
export function payloadFor(content, locale) {
  return content.variants?.[variantFor(content, locale)] ?? content.payload;
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
export function isLocale(code) {
  try {
    return Intl.getCanonicalLocales(code)[0] === code;
  } catch {
    return false;
  }
}

/** Languages of variants to offer first. */
export const usual = ["en", "zh-Hans", "zh-Hant", "ja", "ko", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "tr", "ru", "uk", "ar", "he", "hi", "id", "th", "vi"];
