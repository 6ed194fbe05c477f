// Dates like "2026-11-23" and months like "2026-11", by the calendar alone. Pure, without DOM.

const dayMs = 86_400_000;

/** Days since 1970. */
export const dayNumber = (date) => Date.parse(`${date}T00:00:00Z`) / dayMs;
const dateOf = (number) => new Date(number * dayMs).toISOString().slice(0, 10);
export const addDays = (date, days) => dateOf(dayNumber(date) + days);

/** Weeks since 1970 that begin on Mondays; 1 January 1970 was a Thursday. */
export const weekNumber = (date) => Math.floor((dayNumber(date) + 3) / 7);
export const monthNumber = (date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

export function addMonths(month, count) {
  const number = monthNumber(`${month}-01`) + count;
  return `${String(Math.floor(number / 12)).padStart(4, "0")}-${String(number % 12 + 1).padStart(2, "0")}`;
}

/** True for a month that a calendar can show. */
export const isMonth = (text) => /^20\d\d-(0[1-9]|1[0-2])$/.test(text ?? "");

/** The weeks of a month, from Monday to Sunday: [[date]], with the days of other months at both ends. */
export function weeksOf(month) {
  const first = weekNumber(`${month}-01`) * 7 - 3, end = dayNumber(`${addMonths(month, 1)}-01`);
  const weeks = [];
  for (let monday = first; monday < end; monday += 7) {
    weeks.push(Array.from({ length: 7 }, (_, day) => dateOf(monday + day)));
  }
  return weeks;
}
