// Why a key was not stored: what Apple said about it, for each environment.

import m from "../m.js";
import { t, has } from "../i18n.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";

/** `onforce` stores the key without asking Apple; it is offered only if Apple could not be asked. */
export const KeyFindings = {
  view: ({ attrs: { check: { state, findings }, keyID, teamID, onforce } }) => {
    const values = { key: keyID, team: teamID, bundle: session.thisApp?.bundle_id };
    return m(Banner, { look: state === "rejected" ? "grave" : "warn", role: "alert" },
      m("p", m("b", t(`setup.check.${state}`))),
      findings.filter(({ outcome }) => outcome !== "accepted").map((finding) => m("p", { key: finding.environment },
        m("b", `${t(`setup.environment.${finding.environment}`)}: `), inWords(finding, values), finding.reason && [" ", m("code.soft", finding.reason)])),
      state === "unknown" && m("div.row.banner-row", m(Button, { class: "small", onclick: onforce }, t("setup.check.force"))));
  },
};

function inWords({ reason, status, host, meaning, remedy }, values) {
  const own = `setup.check.reason.${reason ?? (status ? "" : "unreachable")}`;
  return has(own) ? t(own, { ...values, host }) : [meaning, remedy].filter(Boolean).join(" ");
}
