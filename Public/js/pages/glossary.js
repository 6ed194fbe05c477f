import m from "../m.js";
import { t } from "../i18n.js";

const terms = [
  "campaign",
  "run",
  "audience",
  "segment",
  "ledger",
  "targeted",
  "accepted",
  "delivered",
  "engaged",
  "opened",
  "rejected",
  "suppressed",
  "expired",
  "cancelled",
  "unknown",
  "pending",
  "verified",
  "quietHours",
  "frequencyCap",
  "brake",
];

export default {
  view: () => [
    m("div.page-head", m("h1", t("glossary.title"))),
    m(
      "dl.sheet.glossary",
      terms.map((name) => m("div", { key: name }, m("dt", t(`term.${name}.name`)), m("dd", t(`term.${name}.text`)))),
    ),
  ],
};
