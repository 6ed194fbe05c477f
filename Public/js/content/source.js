// The content that the form edits: that of a campaign itself, or that of a template, behind one interface.

import { put } from "../json/paths.js";
import { fieldsIn } from "../payload/fields.js";
import { isLiquid } from "./liquid.js";
import { differingPaths, followers, withChange, withParts } from "./shared-parts.js";

const members = ["payload", ...fieldsIn("delivery").map(({ name }) => name)];

/** The content of a campaign without a template: one payload for everyone. `makeTemplate()` makes a template of it. */
export function ownContent(draft, makeTemplate) {
  const content = Object.fromEntries(members.map((name) => [name, draft.value[name]]));
  return {
    content,
    draft,
    isEditable: draft.isEditable,
    hasVariants: false,
    prefix: "",
    makeTemplate,
    change: (fields) => draft.change(fields),
    problemsAt: (path, deep) => draft.problemsAt(path, deep),
  };
}

/** The content of a template: payload, variants, Liquid, media. */
export function templateContent(draft, isEditable = draft.isEditable) {
  return {
    content: draft.value.content,
    draft,
    isEditable,
    hasVariants: true,
    prefix: "content.",
    change: (fields) => draft.change({ content: { ...draft.value.content, ...fields } }),
    problemsAt: (path, deep) => draft.problemsAt(`content.${path}`, deep),
  };
}

/** The payload of a tab: `locale` is a key of the variants, or null for the default. */
export function payloadOf({ content }, locale) {
  return locale === null ? content.payload : content.variants[locale];
}

/** The path of a tab's problems: "payload" or "variants.ja". */
export function pathOf(locale) {
  return locale === null ? "payload" : `variants.${locale}`;
}

/**
 * Changes the payload of a tab. Parts that are not text, like actions and sound, change in all languages that had the
 * same before; returns these languages (null is the default).
 */
export function changePayload(source, locale, payload) {
  const { content } = source;
  const before = payloadOf(source, locale);
  const following = followers(content, locale, before, payload);
  const next = withChange(content, locale, before, payload);
  source.change({ payload: next.payload, ...(content.variants && { variants: next.variants }) });
  return following;
}

/** The paths of parts that are not text and that this language has otherwise than the default. */
export function ownParts({ content }, locale) {
  return locale === null ? [] : differingPaths(content.payload, content.variants[locale]);
}

/** Gives these parts of a language the values of the default. */
export function takeDefaults(source, locale, paths) {
  const { payload, variants } = source.content;
  source.change({ variants: { ...variants, [locale]: withParts(variants[locale], payload, paths) } });
}

/** Adds a language with a copy of the one that is shown, to be translated; or removes one. */
export function addLocale(source, locale, shown = null) {
  source.change({ variants: { ...source.content.variants, [locale]: structuredClone(payloadOf(source, shown)) } });
}
export function removeLocale(source, locale) {
  source.change({ variants: put(source.content.variants, [locale], undefined) });
}

/** True if the texts have Liquid, which only a template renders. */
export function usesLiquid(content) {
  return isLiquid(JSON.stringify(content.payload ?? {}));
}
