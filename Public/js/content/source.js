// The content that the form edits: that of a campaign, or that of a template, behind one interface.

import { memberOf } from "../draft/steps.js";
import { put } from "../json/paths.js";
import { fieldsIn } from "../payload/fields.js";
import { differingPaths, followers, withChange, withParts } from "./shared-parts.js";

/** The parts of a content that people see. The others are settings, which are members of a campaign. */
const shown = new Set(["payload", "variants", "media"]);
const settings = fieldsIn("delivery").map(({ name }) => name);

/** A campaign's own text, with languages, names and media. */
export function ownContent(draft) {
  return ofCampaign(draft, "content", draft.value.content ?? { payload: {} }, (content) => ({ content }));
}

/** A campaign's payload that is sent exactly as it is, with its braces. */
export function literalPayload(draft) {
  return ofCampaign(draft, "", { payload: draft.value.payload }, (next) => next);
}

/** A template's version that a campaign names: it is only shown. */
export function namedTemplate(draft, content) {
  return { ...ofCampaign(draft, "template", content), isEditable: false };
}

/** The `member` that has the `text` is "" where the campaign itself has it. `asMembers(text)` saves another one. */
function ofCampaign(draft, member, text, asMembers) {
  const prefix = member && `${member}.`;
  const place = (path) => (shown.has(memberOf(path)) ? prefix + path : path);
  return {
    content: { ...text, ...Object.fromEntries(settings.map((name) => [name, draft.value[name]])) },
    draft,
    isEditable: draft.isEditable,
    hasVariants: Boolean(member),
    prefix,
    change(fields) {
      const own = Object.entries(fields).filter(([name]) => shown.has(name));
      const rest = Object.entries(fields).filter(([name]) => !shown.has(name));
      draft.change({
        ...Object.fromEntries(rest),
        ...(own.length && asMembers({ ...text, ...Object.fromEntries(own) })),
      });
    },
    problemsAt: (path, deep) => draft.problemsAt(place(path), deep),
    placed: (problem) => ({ ...problem, path: place(problem.path.replace(/^content\./, "")) }),
  };
}

/** The content of a template: payload, variants, Liquid, media. */
export function templateContent(draft) {
  return {
    content: draft.value.content,
    draft,
    isEditable: draft.isEditable,
    hasVariants: true,
    prefix: "content.",
    change: (fields) => draft.change({ content: { ...draft.value.content, ...fields } }),
    problemsAt: (path, deep) => draft.problemsAt(`content.${path}`, deep),
    placed: (problem) => problem,
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
export function addLocale(source, locale, shownLocale = null) {
  source.change({
    variants: { ...source.content.variants, [locale]: structuredClone(payloadOf(source, shownLocale)) },
  });
}
export function removeLocale(source, locale) {
  source.change({ variants: put(source.content.variants, [locale], undefined) });
}
