// "Why not everyone": each reason in words, with what to do and a way to the devices.

import m from "../m.js";
import { number, share, t } from "../i18n.js";
import { reasonAdvice, reasonCode, reasonName } from "../reasons.js";
import { isOver } from "../campaigns/run.js";
import { Kind } from "../ui/badge.js";

/** `href(kind, reason)` leads to the devices. */
export const Why = {
  view: ({ attrs: { run, href } }) =>
    m(
      "section.sheet.stack",
      m("h2", t("report.why")),
      !run.reasons?.length ? m("p.soft", t(isOver(run) ? "report.everyone" : "report.everyoneSoFar")) : m(
        "div.table-scroll",
        m(
          "table.table",
          { "aria-label": t("report.why") },
          m(
            "thead",
            m(
              "tr",
              m("th.wide", { scope: "col" }, t("report.reason")),
              m("th.number", { scope: "col" }, t("report.devices")),
              m("th", { scope: "col" }, t("report.advice")),
            ),
          ),
          m(
            "tbody",
            run.reasons.map(({ outcome, reason, count }) =>
              m(
                "tr",
                { key: `${outcome} ${reason}` },
                m(
                  "td.wide",
                  reasonName(reason),
                  m("span.why-kind.meta", m(Kind, { kind: outcome }), reasonCode(reason) && m("code", reason)),
                ),
                m(
                  "td.number",
                  m("a", { href: href(outcome, reason) }, number(count)),
                  m("span.meta.why-share", share(count, run.targeted)),
                ),
                m("td.soft.why-advice", reasonAdvice(reason) ?? "–"),
              )
            ),
          ),
        ),
      ),
    ),
};
