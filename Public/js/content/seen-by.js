// As whom the phone shows a push: a sample person, somebody of whom nothing is known, or who has the longest values.

import m from "../m.js";
import { t } from "../i18n.js";
import { clauses } from "../phrases.js";
import { SelectField } from "../ui/field.js";
import { localeName } from "../locales/locales.js";
import { longestOf, madeUp, personFor } from "./people.js";

/** The made-up people; their values are of no installation, which have no star. */
const nobody = "*nobody", longest = "*longest";

/** The person that is chosen in `SeenBy`, of `previewData`; `locale` is that of the shown text. */
export function personSeen(previewData, chosen, locale) {
  const { people = [], values } = previewData ?? {};
  if (chosen === longest) return madeUp(longest, locale, longestOf(values));
  const unknown = (id) => ({ ...madeUp(id, locale, {}), isNobody: true });
  return chosen === nobody ? unknown(nobody) : personFor(people, chosen, locale) ?? unknown("");
}

/** `previewData`, `person` (of `personSeen`), `onchange(chosen)`. `isPlain`: the text is the same for everyone. */
export const SeenBy = {
  view: ({ attrs: { previewData, person, isPlain, onchange } }) => {
    const [first, ...others] = (previewData?.people ?? []).map(({ id, name, locale }) => ({
      value: id,
      label: clauses([name, localeName(locale)]),
    }));
    const unusual = isPlain ? [] : [
      { value: nobody, label: t("phone.nobody") },
      { value: longest, label: t("phone.longest") },
    ];
    // Without it the phone would move when the people come.
    const none = { value: "", label: previewData ? t("phone.noPeople") : "…" };
    return m(SelectField, {
      class: "seen-by",
      label: t("phone.person"),
      value: person.id,
      onchange,
      options: [first ?? none, ...unusual, ...others],
    });
  },
};
