import { t } from "../i18n.js";

/**
 * The placeholder of a field that takes another text while it is empty: "Default: Book seats". It must not look typed.
 */
export function fallback(text) {
  return text ? t("field.fallback", { text }) : undefined;
}
