// The content that the form edits: that of a campaign itself, or that of a template, behind one interface.

import { put } from "../draft/merge.js";
import { isLiquid } from "./liquid.js";

const delivery = ["push_type", "priority", "expiration_seconds", "collapse_id"];

/** The content of a campaign without a template: one payload for everyone. */
export function ownContent(draft) {
  const content = Object.fromEntries(["payload", ...delivery].map((name) => [name, draft.value[name]]));
  return {
    content, draft, isEditable: draft.isEditable, hasVariants: false, prefix: "",
    change: (fields) => draft.change(fields),
    problemsAt: (path, deep) => draft.problemsAt(path, deep),
  };
}

/** The content of a template: payload, variants, Liquid, media. */
export function templateContent(draft, isEditable = draft.isEditable) {
  return {
    content: draft.value.content, draft, isEditable, hasVariants: true, prefix: "content.",
    change: (fields) => draft.change({ content: { ...draft.value.content, ...fields } }),
    problemsAt: (path, deep) => draft.problemsAt(`content.${path}`, deep),
  };
}

/** The payload of a tab: `locale` is a key of the variants, or null for the default. */
export function payloadOf({ content }, locale) { return locale === null ? content.payload : content.variants[locale]; }

/** The path of a tab's problems: "payload" or "variants.ja". */
export function pathOf(locale) { return locale === null ? "payload" : `variants.${locale}`; }

export function changePayload(source, locale, payload) {
  if (locale === null) source.change({ payload });
  else source.change({ variants: { ...source.content.variants, [locale]: payload } });
}

/** Adds a language with a copy of the default, to be translated; or removes one. */
export function addLocale(source, locale) {
  source.change({ variants: { ...source.content.variants, [locale]: structuredClone(source.content.payload) } });
}
export function removeLocale(source, locale) { source.change({ variants: put(source.content.variants, [locale], undefined) }); }

/** True if the texts have Liquid, which only a template renders. */
export function usesLiquid(content) { return isLiquid(JSON.stringify(content.payload ?? {})); }
