// The rule for the winner of an A/B test, as the API has it. Does not use the DOM or the network.

/** Of a test that has none: a fifth is tested for four hours. */
export const standard = { share: 200, decision: "automatic", after_seconds: 14_400, without_winner: "leader" };

/** Thousandths of the audience, and seconds. */
export const shares = { min: 10, max: 900 };
export const times = { min: 600, max: 259_200 };

export const hourSeconds = 3600;

/** The rule with another decision: a person needs no time and no fallback. */
export function withDecision(rule, decision) {
  if (decision === "by_hand") return { share: rule.share, decision };
  return { ...standard, ...rule, decision };
}
