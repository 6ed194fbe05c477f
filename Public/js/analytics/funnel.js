// From targeted to converted, each step as a bar with its share, and beside it what was not accepted.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { Kind } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Term } from "../ui/term.js";
import { isUnfinished, measureName, notAccepted, shareOf } from "./measures.js";

/** [measure, the measure of which its share is shown, whether the glossary has it] */
const stages = [
  ["targeted", null, true],
  ["accepted", "targeted", true],
  ["delivered", "accepted", true],
  ["engaged", "accepted", true],
  ["opened", "accepted", true],
  ["actions", "accepted"],
  ["replies", "accepted"],
  ["conversions", "accepted"],
  ["influenced", "accepted"],
];
const others = ["presented", "dismissed"];

const linked = (value, href) => (href && value > 0 ? m("a.figure-link", { href }, number(value)) : number(value));
const part = (counts, measure, whole) =>
  whole && counts[measure] > 0 && counts[measure] <= counts[whole] &&
  m("span.meta", t(`analytics.of.${whole}`, { share: shareOf(counts[measure], counts[whole]) }));

/** `counts` of the API; `href(measure)` leads to the devices, or is null. */
export const Funnel = {
  view: ({ attrs: { counts, href } }) =>
    m(
      "div.funnel-parts",
      m(
        "div.stack",
        m(
          "ol.funnel",
          stages.map(([measure, whole, isTerm]) =>
            m(
              "li",
              { key: measure, "data-measure": measure, class: counts[measure] ? "" : "zero" },
              m("span.funnel-name", isTerm ? m(Term, { name: measure }, measureName(measure)) : measureName(measure)),
              m(
                "span.funnel-bar",
                { "aria-hidden": "true" },
                m("i", {
                  style: {
                    width: `${counts.targeted ? Math.min(1, counts[measure] / counts.targeted) * 100 : 0}%`,
                    minWidth: counts[measure] ? "3px" : "0",
                  },
                }),
              ),
              m("b.funnel-count", linked(counts[measure], href?.(measure))),
              m("span.funnel-share", part(counts, measure, whole)),
            )
          ),
        ),
        isUnfinished(counts) && m(Banner, { variant: "note" }, t("analytics.unfinished")),
        m("p.soft", t("analytics.engagedText")),
      ),
      m(
        "div.stack",
        m("h3", t("analytics.notAccepted", { count: notAccepted.reduce((sum, each) => sum + counts[each], 0) })),
        m(
          "ul.funnel-side",
          notAccepted.map((kind) =>
            m(
              "li",
              { key: kind, "data-measure": kind, class: counts[kind] ? "" : "zero" },
              m(Kind, { kind }, m(Term, { name: kind }, measureName(kind))),
              m("b", linked(counts[kind], href?.(kind))),
              part(counts, kind, "targeted"),
            )
          ),
        ),
        m("h3", t("analytics.toldBesides")),
        m(
          "ul.funnel-side",
          others.map((measure) =>
            m(
              "li",
              { key: measure, "data-measure": measure, class: counts[measure] ? "" : "zero" },
              m("span", measureName(measure)),
              m("b", number(counts[measure])),
              part(counts, measure, "accepted"),
            )
          ),
          counts.conversion_value !== 0 &&
            m(
              "li",
              { key: "value" },
              m("span", t("analytics.measure.conversion_value")),
              m("b", number(counts.conversion_value)),
              m("span"),
            ),
        ),
      ),
    ),
};
