// The period of the inbox: from its words in the address to the times that the API takes. Pure.

import { midnight, midnightOf } from "../local-days.js";

/** Values of `period` in the address: a number of days, today included, or two dates that were chosen. */
export const periods = ["", "1", "7", "30", "90", "days"];

/** {since, until} for the API; undefined where there is no limit. The last day is included. */
export function limitsOf({ period, from, to }, now = Date.now()) {
  if (period === "days") return { since: midnightOf(from)?.toISOString(), until: midnightOf(to, 1)?.toISOString() };
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
