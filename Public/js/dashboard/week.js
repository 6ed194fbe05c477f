// The last seven days in numbers. No DOM and no texts.

import { midnight } from "../local-days.js";

const measures = ["accepted", "engaged", "conversions"];

/** Midnight of the first day and after the last one: today. */
export const weekOf = (now = Date.now()) => [midnight(now, -6), midnight(now, 1)];

/** Sums up a series by day: {accepted, engaged, conversions, days: [{time, accepted, engaged, conversions}]}. */
export function summary(units, now = Date.now()) {
  const none = Object.fromEntries(measures.map((name) => [name, 0]));
  const days = Array.from({ length: 7 }, (_, index) => ({ ...none, time: midnight(now, index - 6).getTime() }));
  for (const unit of units) {
    const day = days.find(({ time }) => time === midnight(unit.starts_at).getTime());
    if (day) { for (const name of measures) day[name] += unit[name]; }
  }
  const sum = (name) => days.reduce((total, each) => total + each[name], 0);
  return { days, ...Object.fromEntries(measures.map((name) => [name, sum(name)])) };
}
