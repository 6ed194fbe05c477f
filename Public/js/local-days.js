// Days by the reader's clocks. Pure.

/** Midnight at the beginning of the day of a time, or `days` after it. */
export function midnight(time, days = 0) {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** Midnight of a date like "2026-11-23", or `days` after it; null for anything else. */
export function midnightOf(text, days = 0) {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "") ?? [];
  return year ? new Date(Number(year), Number(month) - 1, Number(day) + days) : null;
}
