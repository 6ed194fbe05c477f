// The languages of a template: the default with a star, languages of sample people that are missing dashed, and "+".

import m from "../m.js";
import { t } from "../i18n.js";
import { Menu } from "../ui/menu.js";
import { Tabs } from "../ui/tabs.js";
import { ask } from "../ui/dialog.js";
import { localeOf } from "../locales/choice.js";
import { localeName, usual, variantFor } from "../locales/locales.js";
import { addLocale, pathOf, removeLocale } from "./source.js";

/**
 * `source`, `locale` (null: the default), `defaultLocale` of the app, `locales` of sample people, `onchange(locale)`.
 */
export const LocaleTabs = {
  view: ({ attrs: { source, locale, defaultLocale, locales = [], onchange } }) => {
    const present = Object.keys(source.content.variants ?? {});
    const language = (each) =>
      localeOf(each)?.split("-").filter((part, index) => index === 0 || part.length === 4).join("-");
    const isMissing = (each) =>
      variantFor(source.content, each, defaultLocale) === null && language(each) !== language(defaultLocale);
    const missing = !source.isEditable ? [] : [...new Set(locales.filter(isMissing).map(language))].filter(Boolean)
      .slice(0, Math.max(1, 3 - present.length));
    const errors = (each) =>
      source.problemsAt(pathOf(each), true).filter(({ severity }) => severity === "error").length;
    const add = (each) => {
      if (!present.includes(each)) addLocale(source, each, locale);
      onchange(each);
    };
    const tab = (each, label) => ({ id: each ?? "", label, badge: errors(each) ? "!" : null });
    return m(
      "div.locale-tabs",
      m(Tabs, {
        label: t("content.languages"),
        active: locale ?? "",
        onchange: (
          id,
        ) => (missing.includes(id) && !present.includes(id) ? source.isEditable && add(id) : onchange(id || null)),
        tabs: [
          tab(null, `${localeName(defaultLocale)} *`),
          ...present.map((each) => tab(each, localeName(each))),
          ...missing.map((each) => ({ id: each, label: localeName(each), variant: "missing" })),
        ],
      }),
      source.isEditable && m(Menu, {
        label: t("content.addLanguage"),
        icon: "plus-lg",
        hidden: true,
        items: [
          ...usual.filter((each) => !present.includes(each)).map((each) => ({
            label: `${localeName(each)} (${each})`,
            onclick: () => add(each),
          })),
          locale !== null && {
            label: t("content.removeLanguage", { name: localeName(locale) }),
            icon: "trash",
            variant: "danger",
            onclick: async () => {
              const isSure = await ask({
                title: t("content.removeLanguage", { name: localeName(locale) }),
                text: t("content.removeLanguageText"),
                confirm: t("action.remove"),
              });
              if (!isSure) return;
              removeLocale(source, locale);
              onchange(null);
              m.redraw();
            },
          },
        ],
      }),
    );
  },
};
