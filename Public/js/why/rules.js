// The rules of an answer to "Why?" in words. Does not use the DOM or the network.

import { has, t } from "../i18n.js";
import { reasonName } from "../reasons.js";

/** The steps of an answer of the API, {rule, name, result, text}. A rule of a newer server has its code as its name. */
export function stepsOf({ steps, delivery }) {
  return steps.map(({ rule, result, text }) => ({
    rule,
    result,
    name: has(`why.rule.${rule}`) ? t(`why.rule.${rule}`) : rule,
    // The server says Apple's code; the pages have words for it.
    text: rule === "apple" && result === "failed" ? t("why.rejected", { reason: reasonName(delivery?.reason) }) : text,
  }));
}

/** The verdict as a sentence about a campaign. */
export function verdictText({ verdict, delivery, steps }, name) {
  if (delivery?.outcome === "rejected") return t("why.verdict.rejected", { name });
  return t(steps.at(-1)?.rule === "answer" ? "why.verdict.lost" : `why.verdict.${verdict}`, { name });
}
