// The field for what a tap on the push opens: the app, or a link, which the app finds in the payload.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Field, SelectField } from "../ui/field.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";
import { SuggestField } from "./suggest.js";
import { linkOf, linkProblem, secured, usualKey, withLink } from "./tap.js";

/** The attributes of a field for a link, with its problem (of `linkProblem`) in words. */
export const linkInput = (problem) => ({
  spellcheck: false,
  autocapitalize: "off",
  inputmode: "url",
  dir: "ltr",
  ...(problem && { [problem === "insecure" ? "note" : "error"]: t(`content.tap.problem.${problem}`) }),
});

/**
 * `payload`, `readonly`, `change(payload)`, `at(key)` and `describeProblems(problems)` as of `payloadField`;
 * `suggestions`: {attributes, names} of `SuggestField`.
 */
export function TapField({ attrs: { payload: first } }) {
  // A link was chosen, and none is typed yet; `last` comes back when it is chosen again.
  let wantsLink = false, last = "", key = linkOf(first)?.key ?? usualKey, refused = null;
  // A link that was there before is checked at once, another one when it is left.
  let isChecked = linkOf(first) !== null;

  function choose(kind, { payload, change }) {
    wantsLink = kind === "link";
    last = linkOf(payload, key)?.link ?? last;
    change(withLink(payload, key, wantsLink ? last : ""));
  }
  function rename(next, { payload, change }) {
    const isTaken = next === "aps" || (next !== key && next in payload);
    refused = isTaken ? next : null;
    if (isTaken || !next) return;
    const link = linkOf(payload, key)?.link;
    if (link) change(withLink(withLink(payload, key, ""), next, link));
    key = next;
  }
  function linkField(attrs, link) {
    const { payload, readonly, change, at, describeProblems, suggestions } = attrs;
    const problem = link && isChecked ? linkProblem(link) : null;
    const better = problem && !readonly && secured(link);
    const said = describeProblems(at(key));
    const set = (next) => change(withLink(payload, key, next));
    return m(SuggestField, {
      ...suggestions,
      label: t("content.tap.link"),
      value: link,
      readonly,
      placeholder: t("field.example", { text: "https://" }),
      ...said,
      ...linkInput(problem),
      remedy: better
        ? m("div", m(Button, { class: "small", onclick: () => set(better) }, t("content.tap.use", { link: better })))
        : said.remedy,
      help: t("content.tap.help"),
      oninput: set,
      onchange: () => {
        isChecked = true;
      },
    });
  }
  const keyField = (attrs) =>
    m(Field, {
      label: t("content.tap.key"),
      error: refused ? t("content.keyTaken", { name: refused }) : undefined,
      class: "tap-key",
      control: (aria) =>
        m(UncommittedInput, {
          ...aria,
          value: refused ?? key,
          readonly: attrs.readonly,
          spellcheck: false,
          autocapitalize: "off",
          maxlength: 100,
          onchange: (event) => rename(event.target.value.trim(), attrs),
        }),
    });
  return {
    view: ({ attrs }) => {
      const found = linkOf(attrs.payload, key);
      if (found) key = found.key;
      const hasLink = found !== null || wantsLink;
      return m(
        "div.stack",
        { style: { "--gap": "8px" } },
        m(SelectField, {
          label: t("content.tap.label"),
          value: hasLink ? "link" : "app",
          disabled: attrs.readonly,
          options: ["app", "link"].map((value) => ({ value, label: t(`content.tap.${value}Choice`) })),
          onchange: (kind) => choose(kind, attrs),
        }),
        hasLink && m("div.tap-fields", linkField(attrs, found?.link ?? ""), keyField(attrs)),
      );
    },
  };
}
