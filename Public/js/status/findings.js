// The findings, each with what to do; without any, a line that all is well.

import m from "../m.js";
import { langOf, moment, relative, t } from "../i18n.js";
import { Banner } from "../ui/banner.js";
import { RunLink } from "./run-link.js";

const serious = new Set(["no_process", "process_lost", "leases_lapsed"]);

const Finding = {
  view: ({ attrs: { finding, now } }) =>
    m(
      Banner,
      { variant: serious.has(finding.code) ? "danger" : "warn" },
      m(
        "div.status-finding",
        finding.run_id && m("p", m(RunLink, { run: finding })),
        m("p", { lang: langOf(finding.message) }, m("b", finding.message)),
        m("p", { lang: langOf(finding.remedy) }, finding.remedy),
        finding.began_at &&
          m("p.meta", t("status.since", { time: moment(finding.began_at), age: relative(finding.began_at, now) })),
      ),
    ),
};

export const Findings = {
  view: ({ attrs: { status } }) =>
    m(
      "section.stack",
      { "aria-label": t("status.attention") },
      status.findings.length
        ? [
          m("h2", t("status.attention")),
          status.findings.map((finding) =>
            m(Finding, {
              key: [finding.code, finding.process_id, finding.run_id].join(),
              finding,
              now: Date.parse(status.at),
            })
          ),
        ]
        : m(Banner, { variant: "good" }, t("status.fine")),
    ),
};
