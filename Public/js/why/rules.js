// The rules of an answer to "Why?" in words. Does not use the DOM or the network.

import { t, has } from "../i18n.js";
import { reasonName } from "../reasons.js";

const text = (key, values) => ({ key: `why.rule.${key}`, values });

/** A value in the server's sentence, such as a topic or a cap. Null if the sentence does not have it. */
function valuesIn(rule, sentence) {
  if (rule === "topic") {
    const topic = /\btopic (\S+)\.$/.exec(sentence)?.[1];
    return topic ? { topic } : null;
  }
  const [, pushes, days = "1"] = /\b(\d+) push(?:es)? in (?:one day|(\d+) days)\b/.exec(sentence) ?? [];
  return pushes ? { pushes: Number(pushes), count: Number(days) } : null;
}

/** The key of a step's sentence, and its values. */
function sentenceOf(step, { delivery, conditions, verdict }) {
  const { rule, result } = step;
  if (rule === "apple" && result === "failed") return text("apple.failed", { reason: reasonName(delivery?.reason) });
  if (rule === "apple" && delivery?.is_resent) return text("apple.passedAgain");
  if (rule === "planned" && verdict === "unknown") return text("planned.deleted");
  if (rule === "topic" || rule === "frequency_cap") return text(`${rule}.${result}`, valuesIn(rule, step.text));
  if (delivery || result === "passed") return text(`${rule}.${result}`);
  if (rule === "audience" && conditions[0]?.is_met !== false) return text("audience.changed");
  return text(["registered_before_start", "token_kind"].includes(rule) ? `${rule}.${result}` : `${rule}.${result}Before`);
}

/**
 * {name, sentence, isOwn} of each step of an answer of the API. A rule that a newer server has is told by its code and the
 * server's sentence; `isOwn` is then false.
 */
export function stepsOf(answer) {
  return answer.steps.map((step) => {
    const { key, values } = sentenceOf(step, answer);
    const isOwn = values !== null && (has(key) || has(`${key}.other`));
    return { ...step, name: has(`why.rule.${step.rule}.name`) ? t(`why.rule.${step.rule}.name`) : step.rule, sentence: isOwn ? t(key, values) : step.text, isOwn };
  });
}

/** The verdict as a sentence about a campaign. */
export function verdictText({ verdict, delivery, steps }, name) {
  if (delivery?.outcome === "rejected") return t("why.verdict.rejected", { name });
  return t(steps.at(-1)?.rule === "answer" ? "why.verdict.lost" : `why.verdict.${verdict}`, { name });
}
