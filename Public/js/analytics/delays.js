// The time from a push to its opening, in the API's steps. No DOM and no texts.

/** The first second of each step. */
export const steps = [
  0,
  5,
  10,
  20,
  30,
  60,
  120,
  300,
  600,
  1_200,
  1_800,
  3_600,
  7_200,
  14_400,
  28_800,
  43_200,
  86_400,
  172_800,
  345_600,
  604_800,
  1_209_600,
];

/**
 * Groups of `by=delay` as [{from, to, count}] without gaps, from the first step to the last one with an opening; `to`
 * is null for the last step of all.
 */
export function distribution(groups) {
  const counts = new Map(groups.filter(({ opened }) => opened > 0).map(({ value, opened }) => [Number(value), opened]));
  const last = Math.max(...counts.keys(), -1);
  return steps.filter((step) => step <= last).map((from) => ({
    from,
    to: steps[steps.indexOf(from) + 1] ?? null,
    count: counts.get(from) ?? 0,
  }));
}

/** The step in which the median lies, or null without any opening. */
export function medianStep(bins) {
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  let passed = 0;
  return bins.find(({ count }) => (passed += count) * 2 >= all && all > 0) ?? null;
}
