// The rules that were applied, in order, with the result of each; below the audience its conditions.

import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { Icon } from "../ui/icon.js";
import { conditionText, nested } from "./conditions.js";
import { stepsOf } from "./rules.js";

export const icons = { passed: "check-circle", failed: "x-octagon", unknown: "question-circle" };

function Condition(condition, names) {
  const { text, isOwn } = conditionText(condition.text, names);
  return m(
    "li",
    { class: condition.is_met ? "met" : "unmet" },
    m(
      "p",
      m(Icon, {
        name: condition.is_met ? "check-lg" : "x-lg",
        label: t(condition.is_met ? "why.isMet" : "why.isNotMet"),
      }),
      m("span", { lang: isOwn ? undefined : "en" }, text),
    ),
    condition.parts.length > 0 && m("ul", condition.parts.map((each) => Condition(each, names))),
  );
}

const Conditions = {
  view: ({ attrs: { conditions, campaigns } }) =>
    m(
      "div.why-conditions",
      m("p", m("b", t("why.conditions"))),
      m("ul", nested(conditions).map((each) => Condition(each, campaigns))),
      m("p.meta", t("why.today")),
    ),
};

/** `answer` of the API; `campaigns` are names by id. The last rule is the one that decided. */
export const Steps = {
  view: ({ attrs: { answer, campaigns } }) =>
    m(
      "ol.why-rules",
      { "aria-label": t("why.rules") },
      stepsOf(answer).map(({ rule, result, name, text }, index, all) => {
        const isLast = index === all.length - 1;
        return m(
          "li",
          { class: `${result} ${isLast ? "decided" : ""}` },
          m(Icon, { name: icons[result], label: t(`why.result.${result}`) }),
          m(
            "div",
            m(
              "p",
              m("b", name),
              isLast && m("span.meta.why-decided", t("why.decided")),
              " ",
              m("span.why-sentence", { lang: langOf(text) }, text),
            ),
            rule === "audience" && answer.conditions.length > 0 &&
              m(Conditions, { conditions: answer.conditions, campaigns }),
          ),
        );
      }),
    ),
};
