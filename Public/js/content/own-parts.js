// Tells in which parts that are not text a language differs from the default, and of changes that others followed.

import m from "../m.js";
import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { localeName } from "../locales/locales.js";
import { partName } from "../problems/part-name.js";
import { ownParts, takeDefaults } from "./source.js";

/** The names of parts, each once: "Sound and Actions". */
function partNames(paths) {
  return list([...new Set(paths.map((path) => partName(`payload.${path.join(".")}`)))]);
}

/**
 * `source`, `locale`, `defaultLocale`; `followed` is null or {others}: these languages changed as well, until
 * `onundo()`.
 */
export const OwnParts = {
  view: ({ attrs: { source, locale, defaultLocale, followed, onundo } }) => {
    const name = (each) => localeName(each ?? defaultLocale);
    if (followed) {
      return m(
        Banner,
        { variant: "note", role: "status" },
        t("content.followed", { languages: list(followed.others.map(name)) }),
        " ",
        m(Button, { variant: "plain", onclick: onundo }, t("content.onlyHere", { language: name(locale) })),
      );
    }
    const paths = ownParts(source, locale);
    return paths.length > 0 &&
      m(
        Banner,
        { variant: "note" },
        t("content.ownParts", { language: name(locale), default: name(null), parts: partNames(paths) }),
        " ",
        source.isEditable &&
          m(
            Button,
            { variant: "plain", onclick: () => takeDefaults(source, locale, paths) },
            t("content.takeDefaults"),
          ),
      );
  },
};
