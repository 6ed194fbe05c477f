// The scale of a chart, from zero. No DOM and no texts.

/** Whole numbers from 0 to at least `most`, in about `count` steps. Two digits write each, as in `shortNumber`. */
export function ticksTo(most, count = 5) {
  const rough = Math.max(1, most / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const ticks = [0];
  while (ticks.at(-1) < most || ticks.length < 2) ticks.push(ticks.length * step);
  return ticks;
}

/** Leaves out entries {index} until the rest are `distance` pixels apart; an index is `step` pixels wide. */
export function thinned(entries, step, distance) {
  if (entries.length < 2) return entries;
  const apart = (entries[1].index - entries[0].index) * step;
  const every = Math.max(1, Math.ceil(distance / apart));
  return entries.filter((_, position) => position % every === 0);
}
