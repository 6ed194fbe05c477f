// Texts in several languages: tabs to choose the one that the fields show, and names of languages.

import m from "../m.js";
import { format, t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";
import { Tabs } from "../ui/tabs.js";

const common = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt-BR",
  "nl",
  "pl",
  "tr",
  "ru",
  "ar",
  "hi",
  "id",
  "vi",
  "th",
  "ja",
  "ko",
  "zh-Hans",
  "zh-Hant",
];

/** "German", or the code itself if it is no known language. */
export function languageName(code) {
  try {
    return format("DisplayNames", { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A text of a localized one, {default, de, …}, or "" when that language has none. */
export const textIn = (text, language) => text?.[language] ?? "";

/** A localized text with one language changed; null when nothing is left. */
export function withText(text, language, value) {
  const next = { ...text };
  if (value || language === "default") next[language] = value;
  else delete next[language];
  return Object.values(next).some(Boolean) ? next : null;
}

/** Tabs of languages with one to add. `problems(language)` is a count for its badge. */
export function Languages() {
  let isAdding = false;
  let code = "";
  let error;
  return {
    view: ({ attrs: { languages, active, onchange, onadd, problems, readonly, first = "default" } }) => {
      const all = [first, ...languages.filter((each) => each !== first)];
      function add() {
        const clean = code.trim().replaceAll("_", "-");
        try {
          const [canonical] = Intl.getCanonicalLocales(clean);
          if (!canonical) throw new RangeError();
          onadd(canonical);
          isAdding = false;
        } catch {
          error = t("setup.languageWrong");
        }
      }
      return m(
        "div.languages",
        m(Tabs, {
          label: t("setup.languages"),
          active,
          onchange,
          tabs: all.map((id) => ({
            id,
            label: id === "default" ? t("setup.defaultLanguage") : languageName(id),
            badge: problems?.(id) || undefined,
          })),
        }),
        !readonly && m(Button, {
          variant: "plain",
          icon: "plus-lg",
          class: "small",
          onclick: () => {
            isAdding = true;
            code = "";
            error = undefined;
          },
        }, t("setup.addLanguage")),
        isAdding && m(
          Dialog,
          {
            title: t("setup.addLanguage"),
            onclose: () => {
              isAdding = false;
            },
            actions: [
              m(Button, { variant: "strong", onclick: add }, t("action.add")),
              m(Button, {
                onclick: () => {
                  isAdding = false;
                },
              }, t("action.back")),
            ],
          },
          m(
            "div.chips",
            common.filter((each) => !all.includes(each)).map((each) =>
              m("button.chip", {
                key: each,
                type: "button",
                onclick: () => {
                  onadd(each);
                  isAdding = false;
                },
              }, languageName(each))
            ),
          ),
          m(TextField, {
            label: t("setup.otherLanguage"),
            help: t("setup.languageHelp"),
            value: code,
            error,
            maxlength: 35,
            spellcheck: false,
            oninput: (value) => {
              code = value;
            },
            onkeydown: (event) => {
              if (event.key === "Enter") add();
            },
          }),
        ),
      );
    },
  };
}
