// The form and the phone side by side, for campaigns and for templates.

import m from "../m.js";
import { load } from "../loading.js";
import { route, setQuery } from "../router.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { isPlaced } from "../payload/fields.js";
import { ContentForm, unplaced } from "./form.js";
import { OwnParts } from "./own-parts.js";
import { LocaleTabs } from "./locale-tabs.js";
import { loadPreviewData } from "./people.js";
import { MendButton } from "./mend.js";
import { Preview } from "./preview.js";
import { problemOfPart } from "../problems/problem-words.js";
import { personSeen } from "./seen-by.js";
import { changePayload, payloadOf } from "./source.js";
import { Stage, stageState } from "./stage.js";

/** `source` of source.js; children are drawn above the form. */
export function ContentEditor() {
  const previewData = load(loadPreviewData);
  const preview = Preview();
  const stage = stageState();
  /** {locale, others, before} of the changes in this tab that other languages followed. */
  let followed = null;

  function change(source, locale, next) {
    const { payload, variants } = followed?.before ?? source.content;
    const others = new Set([...(followed?.others ?? []), ...changePayload(source, locale, next)]);
    if (others.size) followed = { locale, others: [...others], before: { payload, variants } };
  }
  /** Gives the other languages back what they had before they followed. */
  function unfollow(source) {
    const { others, before } = followed;
    const { payload, variants } = source.content;
    const kept = others.filter((each) => each !== null).map((each) => [each, before.variants[each]]);
    source.change({
      payload: others.includes(null) ? before.payload : payload,
      variants: { ...variants, ...Object.fromEntries(kept) },
    });
    followed = null;
  }
  return {
    oncreate: ({ dom, attrs: { source } }) => {
      // This step may load late: a person who has begun to type elsewhere, in the name for instance, keeps the focus.
      if (innerWidth >= 820 && source.isEditable && !document.activeElement?.matches("input, textarea, select")) {
        dom.querySelector("input[role=combobox]")?.focus({ preventScroll: true });
      }
    },
    onremove: () => {
      previewData.end();
      preview.end();
    },
    view: ({ attrs: { source }, children }) => {
      const asked = route.query.locale;
      const locale = source.hasVariants && asked && source.content.variants?.[asked] ? asked : null;
      const payload = payloadOf(source, locale) ?? {};
      if (followed && followed.locale !== locale) followed = null;
      const shown = locale ?? session.thisApp.default_locale ?? "en";
      const person = personSeen(previewData.data, stage.person, shown);
      // A literal payload is sent as it is: what the server says of Liquid does not hold for it.
      if (source.hasVariants) preview.follow(source.content, person.as);
      source.draft.setProblems("preview", source.hasVariants ? preview.problems.map(source.placed) : []);
      const loose = dedupe([
        ...unplaced(source, locale),
        ...source.draft.problems.filter((each) => isLoose(source, each)),
      ]);
      return m(
        "div.content-editor",
        m(
          "div.sheet.stack.content-form",
          children,
          loose.map((each) =>
            m(
              Banner,
              { key: each.path + each.message, variant: each.severity === "error" ? "danger" : "warn" },
              problemOfPart(each),
              source.isEditable &&
                m(MendButton, { problems: [each], payload, change: (next) => change(source, locale, next) }),
            )
          ),
          m(
            "div.stack",
            [
              source.hasVariants &&
              m(LocaleTabs, {
                key: "tabs",
                source,
                locale,
                defaultLocale: session.thisApp.default_locale ?? "en",
                locales: previewData.data?.locales,
                onchange: (next) => setQuery({ locale: next }),
              }),
              source.hasVariants && m(
                "div",
                { key: "own-parts" },
                m(OwnParts, {
                  source,
                  locale,
                  defaultLocale: session.thisApp.default_locale ?? "en",
                  followed,
                  onundo: () => unfollow(source),
                }),
              ),
              m(ContentForm, {
                key: `form-${locale ?? ""}`,
                source,
                locale,
                previewData: previewData.data,
                cut: stage.cut,
                change: (next) => change(source, locale, next),
              }),
            ].filter(Boolean),
          ),
        ),
        m(Stage, { stage, source, locale, payload, preview, previewData: previewData.data, person }),
      );
    },
  };
}

/** Problems that belong neither to a payload nor to a field, nor to another step. */
function isLoose(source, { path = "" }) {
  const rest = path.startsWith(source.prefix) ? path.slice(source.prefix.length) : path;
  return !/^(payload|variants)\b/.test(rest) && !isPlaced(rest, true) &&
    source.draft.problemsOf("content").some((each) => each.path === path) && rest !== "name";
}

function dedupe(problems) {
  const seen = new Set();
  return problems.filter(({ path, message }) => !seen.has(path + message) && seen.add(path + message));
}
