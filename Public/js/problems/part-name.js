// Names a part of a content for people: "payload.aps.alert.title" is "Title", "variants.ja.aps.badge" is "Japanese:
// Badge".

import { has, t } from "../i18n.js";
import { localeName } from "../locales/locales.js";

/** `path` as in problems and differences. A part without a name, like an own key of the app, keeps its path. */
export function partName(path) {
  const [, locale, rest] = /^(?:content\.|template\.)?(?:payload|variants\.([^.]+))(?:\.(.*))?$/.exec(path) ??
    [null, undefined, path.replace(/^content\./, "")];
  const name = nameOf(rest);
  if (!locale) return name;
  return name ? t("content.inLanguage", { language: localeName(locale), name }) : localeName(locale);
}

const own = {
  media: "media",
  "media.id": "media",
  "media.url": "mediaUrl",
  push_type: "pushType",
  priority: "priority",
  expiration_seconds: "expiration",
  collapse_id: "collapse",
};

/** "" for the whole payload. */
function nameOf(path = "") {
  if (path === "" || path === "aps" || path === "aps.alert") return "";
  const last = path.replace(/^aps\.alert\./, "").replace(/^aps\./, "").replace(/[.[].*$/, "");
  if (own[path]) return t(`content.${own[path]}`);
  const keys = /^aps\.alert\./.test(path)
    ? [`content.${last}`, `content.keys.${last}`]
    : /^aps\./.test(path)
    ? [`content.aps.${last}`]
    : [];
  const found = keys.find(has);
  return found ? t(found) : path;
}
