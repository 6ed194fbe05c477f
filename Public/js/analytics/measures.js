// The names of measures, and which of them are outcomes or reports of devices.

import { share, t } from "../i18n.js";

export const outcomes = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown"];
/** The outcomes of pushes that Apple did not accept. */
export const notAccepted = outcomes.slice(1);
export const events = [
  "delivered",
  "presented",
  "engaged",
  "opened",
  "influenced",
  "actions",
  "dismissed",
  "replies",
  "conversions",
];
export const measures = ["targeted", ...outcomes, ...events];
/** Lines of one chart, at most: more of them can't be told apart. */
export const mostLines = 4;

export function measureName(measure) {
  return t(`analytics.measure.${measure}`);
}

/** The measures that a parameter of the address names, in its order; `usual` if it names none. */
export function readMeasures(text, usual) {
  const named = [...new Set((text ?? "").split(","))].filter((each) => measures.includes(each)).slice(0, mostLines);
  return named.length ? named : usual;
}

export function valueOf(counts, measure) {
  return counts?.[measure] ?? 0;
}

/**
 * Like `share`, but "–" above the whole: devices report about a run that is still being sent, which is not counted yet.
 */
export function shareOf(part, whole) {
  return part > whole ? "–" : share(part, whole);
}

/** Returns true if devices reported more than finished runs have sent. */
export function isUnfinished(counts) {
  return counts.delivered > counts.accepted;
}

/** Returns true if nothing is counted. */
export function isNothing(counts) {
  return measures.every((each) => !counts[each]);
}
