// Chooses the value of a person that a text gets, and what replaces it for those who have none. That is always asked:
// coverage is known of a sample, and tomorrow's device may lack what all of it have.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { Picker } from "../ui/picker.js";
import { fallbackIn, placeholder } from "./placeholder.js";

/**
 * `attributes` of `loadPreviewData`, `text` (all that is written in this language, for a fallback that it has already),
 * `locale`, `oninsert(text)`.
 */
export default function NamePicker() {
  let chosen = null, fallback = "";
  // Most people look for a name.
  const isName = ({ name }) => /name/i.test(name);
  const find = (attributes, typed) => {
    const part = typed.toLowerCase();
    return [...attributes].sort((one, other) => isName(other) - isName(one)).filter(({ name, sample }) =>
      `${name} ${sample}`.toLowerCase().includes(part)
    ).map((each) => ({
      id: each.name,
      ...each,
    }));
  };
  const Fallback = ({ locale, oninsert }) => {
    const { name, share: part } = chosen;
    const help = `${part < 1 ? "some" : "others"}${fallback.trim() ? "" : "Refused"}`;
    return m(
      "form.stack",
      {
        key: "fallback",
        oncreate: ({ dom }) => dom.querySelector("input").select(),
        onsubmit: (event) => {
          event.preventDefault();
          oninsert(placeholder(name, fallback.trim()));
        },
      },
      m(TextField, {
        label: t("content.insert.fallback", { name }),
        value: fallback,
        lang: locale ?? undefined,
        dir: "auto",
        maxlength: 100,
        help: t(`content.insert.${help}`, { name, share: share(1 - part, 1, 0) }),
        oninput: (value) => {
          fallback = value;
        },
      }),
      m(
        "div.row",
        m(Button, { type: "submit", class: "small" }, t("content.insert.insert")),
        m(Button, {
          class: "small",
          variant: "plain",
          onclick: () => {
            chosen = null;
          },
        }, t("action.back")),
      ),
    );
  };
  return {
    view: ({ attrs }) => {
      const { attributes, text } = attrs;
      return [
        chosen ? Fallback(attrs) : m(Picker, {
          key: "list",
          label: t("content.insert.search"),
          find: (typed) => find(attributes, typed),
          option: ({ name, share: part, sample }) => [
            m("code", name),
            m("span.cut.soft", sample),
            m("span.meta.push", t("content.coverage", { share: share(part, 1, 0) })),
          ],
          take: (attribute) => {
            chosen = attribute;
            fallback = fallbackIn(text, attribute.name);
          },
          none: () => t("content.insert.none"),
        }),
      ];
    },
  };
}
