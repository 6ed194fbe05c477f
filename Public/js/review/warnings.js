// The errors and warnings before a launch, each with the way to its step.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { problemOfPart, problemWords } from "../problems/problem-words.js";
import { stepOf } from "../draft/steps.js";
import { page } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Check } from "../ui/field.js";

/** The name of a warning: one that was seen stays seen until its text changes. */
export const keyOf = ({ path, code, message }) => `${path} ${code} ${message}`;

/** Errors, which block; and warnings, each with a box. `seen` is a Set of the names that were ticked. */
export const Warnings = {
  view: ({ attrs: { problems, campaign, seen, readonly } }) =>
    problems.map((each) => {
      const { severity, isOwn, step = stepOf(each.path) } = each;
      const key = keyOf(each);
      return m(
        Banner,
        { key, variant: { error: "danger", note: "note" }[severity] ?? "warn" },
        m(
          "div.warning-row",
          m(
            "div.grow",
            m("p", step === "content" ? contentWords(each, campaign) : problemWords(each)),
            !isOwn &&
              m(
                "a",
                { href: page(`/campaigns/${campaign.id}/${step}`) },
                t("review.fixIn", { step: t(`editor.step.${step}`) }),
              ),
          ),
          severity === "warning" && !readonly &&
            m(Check, {
              label: t("review.seen"),
              checked: seen.has(key),
              onchange: (isOn) => (isOn ? seen.add(key) : seen.delete(key)),
            }),
        ),
      );
    }),
};

/** A problem of one variant begins with the variant's name. */
function contentWords(problem, { variants }) {
  const [, place, path] = /^variants\[(\d+)\]\.(.+)$/.exec(problem.path ?? "") ?? [];
  const name = variants?.[place]?.name;
  if (!name) return problemOfPart(problem);
  return rich("phrase.labelled", {
    label: m("b", { dir: "auto" }, name),
    text: m("span", problemOfPart({ ...problem, path })),
  });
}
