// The reasons why a key was not stored: Apple's answer for each environment.

import m from "../m.js";
import { has, t } from "../i18n.js";
import { labelled, list, sentences } from "../phrases.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";

/** `onforce` stores the key without asking Apple; it is offered only if Apple could not be asked. */
export const KeyFindings = {
  view: ({ attrs: { check: { state, findings }, keyID, teamID, onforce } }) => {
    const values = { key: keyID, team: teamID, bundle: session.thisApp?.bundle_id };
    return m(
      Banner,
      { variant: state === "rejected" ? "danger" : "warn", role: "alert" },
      m("p", m("b", t(`setup.check.${state}`))),
      [...together(findings, values)].map(([text, { environments, reason }]) =>
        m(
          "p",
          { key: text },
          m("b", labelled(list(environments.map((each) => t(`setup.environment.${each}`))), "")),
          text,
          reason && [" ", m("code.soft", reason)],
        )
      ),
      state === "unknown" &&
        m("div.row.banner-row", m(Button, { class: "small", onclick: onforce }, t("setup.check.force"))),
    );
  },
};

/** Environments with the same text, by the text. */
function together(findings, values) {
  const texts = new Map();
  for (const finding of findings.filter(({ outcome }) => outcome !== "accepted")) {
    const text = inWords(finding, values);
    const { environments = [] } = texts.get(text) ?? {};
    texts.set(text, { environments: [...environments, finding.environment], reason: finding.reason });
  }
  return texts;
}

function inWords({ reason, status, host, meaning, remedy }, values) {
  const own = `setup.check.reason.${reason ?? (status ? "" : "unreachable")}`;
  return has(own) ? t(own, { ...values, host }) : sentences([meaning, remedy]);
}
