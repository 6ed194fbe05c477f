// The parts that all languages of a notification share: sound, actions, media. Does not use the DOM.

import { put } from "../json/paths.js";
import { withChange } from "../content/shared-parts.js";

/**
 * Changes a part that is not text in one language (null is the default), and in all languages that had the same before:
 * each language is complete, so its readers would get no sound or no actions. `undefined` removes the part.
 */
export function changePart(notification, locale, path, value) {
  const { content: payload, variants = {} } = notification;
  const before = locale === null ? payload : variants[locale];
  const next = withChange({ payload, variants }, locale, before, put(before, path, value));
  Object.assign(notification, { content: next.payload, variants: next.variants });
}
