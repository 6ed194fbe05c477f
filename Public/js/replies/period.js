// The period of the inbox: from its words in the address to the times that the API takes. Pure.

/** Values of `period` in the address: so many days, today included, or two dates that were chosen. */
export const periods = ["", "1", "7", "30", "90", "days"];

/** Midnight at the reader's, `days` after the day of a time. */
function midnight(time, days = 0) {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** A date of the address, "2026-11-23", at the reader's midnight; null for anything else. */
function ofDate(text, days = 0) {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "") ?? [];
  if (!year) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day) + days);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** {since, until} for the API; undefined where there is no limit. The last day is included. */
export function limitsOf({ period, from, to }, now = Date.now()) {
  if (period === "days") return { since: ofDate(from)?.toISOString(), until: ofDate(to, 1)?.toISOString() };
  const days = Number(period);
  return { since: days > 0 ? midnight(now, 1 - days).toISOString() : undefined, until: undefined };
}

/** Replies that arrived on one day are one group: [{day, replies}]. They are in the order of their arrival. */
export function byDay(replies) {
  const groups = [];
  for (const reply of replies) {
    const day = midnight(reply.received_at).getTime();
    if (groups.at(-1)?.day !== day) groups.push({ day, replies: [] });
    groups.at(-1).replies.push(reply);
  }
  return groups;
}
