// Names a part of a content for people: "payload.aps.alert.title" is "Title", "variants.ja.aps.badge" is "Japanese:
// Badge".

import { t } from "../i18n.js";
import { localeName } from "../locales/locales.js";
import { labelAt } from "../payload/fields.js";

/** `path` as in problems and differences. A part without a name, like an own key of the app, keeps its path. */
export function partName(path) {
  const [, locale, rest] = /^(?:content\.|template\.)?(?:payload|variants\.([^.]+))(?:\.(.*))?$/.exec(path) ??
    [null, undefined, path.replace(/^content\./, "")];
  const name = nameOf(rest);
  if (!locale) return name;
  return name ? t("content.inLanguage", { language: localeName(locale), name }) : localeName(locale);
}

/** "" for the whole payload. */
function nameOf(path = "") {
  if (path === "content") return t("editor.field.payload");
  if (path === "" || path === "aps" || path === "aps.alert") return "";
  const label = labelAt(path);
  return label ? t(label) : path;
}
