// The message on a phone, to be looked at: in each of its languages, with the values of a sample person.

import m from "../m.js";
import { t } from "../i18n.js";
import { load } from "../loading.js";
import { session } from "../session.js";
import { SelectField } from "../ui/field.js";
import { Phone } from "./phone.js";
import { shownCategory } from "./buttons.js";
import { render } from "./liquid.js";
import { localeName } from "../locales/locales.js";
import { isVisible, text } from "./payload.js";
import { loadPreviewData } from "./people.js";
import { personSeen, SeenBy } from "./seen-by.js";
import { plainTexts, shownPush } from "./shown-push.js";
import { TapLine } from "./tap-line.js";

/** `content` of a campaign or a template, or {payload}; `isRendered`: Liquid is filled in. */
export function MessagePreview() {
  const previewData = load(loadPreviewData);
  let locale = "", chosen = null;
  return {
    onremove: () => previewData.end(),
    view: ({ attrs: { content, isRendered } }) => {
      const { categories = [], media = [] } = previewData.data ?? {};
      const standard = session.thisApp.default_locale ?? "en";
      const languages = Object.keys(content.variants ?? {});
      const shown = languages.includes(locale) ? locale : "";
      const payload = shown ? content.variants[shown] : content.payload ?? {};
      const person = personSeen(previewData.data, chosen, shown || standard);
      const write = isRendered
        ? (name) => render(text(payload, name), person.values, shown || standard)
        : plainTexts(payload);
      const push = shownPush({ payload, content, write, media });
      return m(
        "div.message-preview",
        (languages.length > 0 || isRendered) &&
          m(
            "div.row.nowrap.preview-selects",
            languages.length > 0 && m(SelectField, {
              label: t("content.language"),
              value: shown,
              onchange: (next) => {
                locale = next;
              },
              options: [
                { value: "", label: `${localeName(standard)} *` },
                ...languages.map((each) => ({ value: each, label: localeName(each) })),
              ],
            }),
            isRendered && m(SeenBy, {
              previewData: previewData.data,
              person,
              onchange: (next) => {
                chosen = next;
              },
            }),
          ),
        m(
          "div.stage-phone",
          m(Phone, {
            place: "lock",
            isDark: matchMedia("(prefers-color-scheme: dark)").matches,
            locale: shown || standard,
            push,
            category: shownCategory(payload, categories),
            app: { name: session.nameOnPhones },
            label: t("phone.label", { title: push.title, body: push.body }),
            silent: isVisible(payload) ? undefined : t("phone.silent"),
          }),
        ),
        isVisible(payload) && m(TapLine, {
          payload,
          write: (link) => (isRendered ? render(link, person.values, shown || standard) : link),
        }),
      );
    },
  };
}
