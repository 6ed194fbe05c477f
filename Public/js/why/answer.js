// The answer to "Why?": the verdict, the rules, and what is known about the push.

import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { localeName } from "../devices/words.js";
import { Events } from "../pushes/events.js";
import { appleText, deviceThen, fullWindowText } from "../pushes/words.js";
import { reasonAdvice, reasonName } from "../reasons.js";
import { Icon } from "../ui/icon.js";
import { Payload } from "./payload.js";
import { icons, Steps } from "./steps.js";
import { stepsOf, verdictText } from "./rules.js";

/** The outcomes of pushes that Belfry composed and sent to Apple. */
const composed = ["accepted", "rejected", "unknown"];

function appleAnswer({ outcome, reason, apple }) {
  if (outcome === "accepted") return t("why.accepted", { status: appleText({ apple }) });
  if (apple) return [m("code", appleText({ apple })), ` · ${reasonName(reason)}`];
  return outcome === "unknown" && reason ? reasonName(reason) : t("why.notAsked");
}

function facts(delivery, language) {
  const then = deviceThen(delivery);
  return [
    [t("why.apple"), appleAnswer(delivery)],
    [t("why.window"), fullWindowText(delivery)],
    [t("why.then"), then.length ? then.join(" · ") : t("why.notKnown")],
    composed.includes(delivery.outcome) &&
    [t("why.language"), language ? [localeName(language), m("span.soft", ` · ${language}`)] : t("why.defaultText")],
  ].filter(Boolean);
}

const Verdict = {
  view: ({ attrs: { answer, name } }) => {
    const { text, result } = stepsOf(answer).at(-1);
    const advice = reasonAdvice(answer.delivery?.reason);
    return m(
      "div.why-verdict",
      { class: result },
      m(Icon, { name: icons[result] }),
      m(
        "div",
        m("p.lead", m("b", verdictText(answer, name))),
        m("p", { lang: langOf(text) }, text),
        advice && m("p.soft", advice),
      ),
    );
  },
};

/** `answer` of the API; `name` is the campaign's, `campaigns` are names by id that the conditions need. */
export const Answer = {
  view: ({ attrs: { answer, name, campaigns } }) => {
    const { delivery, language } = answer;
    return m(
      "div.stack.gap-24",
      m(Verdict, { answer, name }),
      m("section.stack", m("h3", t("why.rules")), m(Steps, { answer, campaigns })),
      delivery && [
        m(
          "section.stack",
          m("h3", t("why.push")),
          m(
            "dl.facts",
            facts(delivery, language).map(([label, value]) => m("div", { key: label }, m("dt", label), m("dd", value))),
          ),
        ),
        composed.includes(delivery.outcome) && m(Payload, { answer }),
        m(
          "section.stack",
          m("h3", t("why.reported")),
          delivery.events.length
            ? m(Events, { events: delivery.events, since: delivery.due_at })
            : m("p.soft", t("why.nothing")),
        ),
      ],
    );
  },
};
