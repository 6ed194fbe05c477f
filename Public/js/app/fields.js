// Fields for languages and time zones, with the known ones to choose from.

import m from "../m.js";
import { language } from "../i18n.js";
import { languageName } from "../setup/languages.js";
import { TextField } from "../ui/field.js";
import { zoneNames } from "../zone-names.js";

const zones = zoneNames().filter((each) => each.includes("/"));
const locales = [
  "en",
  "en-GB",
  "en-US",
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
let last = 0;

/** `say(value)` puts a code into words, before the help. */
function Listed(options, say) {
  return () => {
    const id = `list-${++last}`;
    return {
      view: ({ attrs }) => [
        m(TextField, {
          spellcheck: false,
          autocomplete: "off",
          list: id,
          ...attrs,
          help: [say?.(attrs.value), attrs.help].filter(Boolean).join(" · "),
        }),
        m("datalist", { id }, options().map(([value, label]) => m("option", { value, key: value }, label))),
      ],
    };
  };
}

const spoken = (code) => (code && languageName(code) !== code ? languageName(code) : "");

/** A locale like `de` or `zh-Hans`. */
export const LocaleField = Listed(() => locales.map((each) => [each, language && languageName(each)]), spoken);
/** An IANA time zone like `Europe/Berlin`. */
export const ZoneField = Listed(() => ["UTC", ...zones].map((each) => [each]));
