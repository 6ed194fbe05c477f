// The form of one payload: what people read first, everything else behind a line that opens.

import m from "../m.js";
import { t } from "../i18n.js";
import { fieldProblems } from "../problems/field-problems.js";
import { field, isPlaced, pathsOf, words } from "../payload/fields.js";
import { ActionsField } from "./actions-field.js";
import { Fold } from "./fold.js";
import { MediaField } from "./media.js";
import { MendButton } from "./mend.js";
import { setAlert, text } from "./payload.js";
import { dataValues, deliveryValues, setIn } from "./section-values.js";
import { SoundField } from "./sound-field.js";
import { pathOf, payloadOf } from "./source.js";
import { SuggestField } from "./suggest.js";
import { TapField } from "./tap-field.js";

/** How the form shows each of the words. */
const lineOf = { title: { "data-first": "" }, subtitle: { optional: true }, body: { rows: 4 } };

/** Problems of the tab that no field shows. */
export function unplaced(source, locale) {
  const path = pathOf(locale);
  return source.problemsAt(path, true).filter((each) => {
    const rest = each.path.slice(source.prefix.length + path.length + 1);
    return !isPlaced(rest) && !(rest && !rest.startsWith("aps"));
  });
}

/**
 * `source`, `locale` (a tab), `previewData`, `cut` ({title, subtitle, body}: the words after which the phone cuts),
 * `change(payload)`.
 */
export const ContentForm = {
  view: ({ attrs: { source, locale, previewData, cut, change } }) => {
    const payload = payloadOf(source, locale);
    const at = (name, deep) => source.problemsAt(`${pathOf(locale)}.${name}`, deep);
    const readonly = !source.isEditable;
    const describeProblems = (problems) => ({
      ...fieldProblems(problems),
      remedy: !readonly && m(MendButton, { problems, payload, change }),
    });
    const attributes = previewData?.attributes ?? [];
    const suggestions = source.hasVariants
      ? { attributes, names: { attributes, text: words.map(({ name }) => text(payload, name)).join("\n"), locale } }
      : {};
    const reference = locale === null ? null : source.content.payload;
    const problemsOf = (each) => pathsOf(each).flatMap((path) => at(path));
    const line = (each, more) => {
      const { name } = each;
      const value = text(payload, name);
      const { error, note, remedy } = describeProblems(problemsOf(each));
      const original = reference && text(reference, name);
      return m(SuggestField, {
        label: t(each.label),
        value,
        readonly,
        ...suggestions,
        hasEmoji: true,
        lang: locale ?? undefined,
        dir: "auto",
        error,
        note,
        remedy,
        help: cut?.[name]
          ? t("content.cutAfter", { word: cut[name] })
          : original && original !== value
          ? t("content.original", { text: original })
          : undefined,
        oninput: (next) => change(setAlert(payload, name, next)),
        ...more,
      });
    };
    const fold = (name, module, set, fields = { payload, at, describeProblems, readonly, change }) =>
      m(Fold, { key: name, title: t(`content.${name}`), set, module: `content/${module}.js`, fields });
    const categories = previewData?.categories ?? [];
    return m(
      "div.stack",
      words.map((each) => line(each, lineOf[each.name])),
      source.hasVariants && m(MediaField, { source, media: previewData?.media ?? [] }),
      source.content.push_type !== "background" &&
        m(TapField, { payload, readonly, change, at, describeProblems, suggestions }),
      source.content.push_type !== "background" &&
        m(ActionsField, { payload, readonly, change, at, describeProblems, suggestions, categories }),
      m(SoundField, {
        payload,
        readonly,
        change,
        describeProblems,
        problems: problemsOf(field("sound")),
      }),
      m("div.folds", [
        fold("look", "look-fields", setIn(payload, "look")),
        fold("delivery", "delivery", deliveryValues(source.content), { source }),
        fold("data", "data-fields", dataValues(payload)),
        fold("locKeys", "loc-keys", setIn(payload, "locKeys")),
        m(Fold, {
          key: "json",
          title: "JSON",
          module: "content/json-view.js",
          fields: { value: payload, readonly, onchange: change },
        }),
      ]),
    );
  },
};
