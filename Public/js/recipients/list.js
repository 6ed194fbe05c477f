// The recipients of a run that the address describes, and what can be chosen to narrow them down.

import { api } from "../api.js";
import { load } from "../loading.js";
import { listOf } from "../pages.js";
import { route } from "../router.js";
import { inApp } from "../session.js";
import { parameters, properties, withParameters } from "./filter.js";

/** A page of the API may have fewer entries and not be the last, so pages are joined until one is full. */
const requests = 10;
async function fullPage(path, values, options) {
  const data = [];
  let { cursor } = values;
  for (let count = 0; count < requests; count++) {
    const answer = await api.get(withParameters(path, { ...values, cursor, limit: values.limit - data.length }), {}, options);
    data.push(...answer.data);
    cursor = answer.next_cursor;
    if (!cursor || data.length >= values.limit) break;
  }
  return { data, next_cursor: cursor ?? null };
}

export function recipientsOf(run) {
  return listOf(inApp(`/runs/${run}/deliveries`), () => parameters(route.query), { get: fullPage });
}

/** Due times to choose from, at most. */
const dueTimeLimit = 200;

/** A resource with {groups, dueTimes}: what can be chosen. Each for itself: without one of them the others still help. */
export function choicesOf(run) {
  return load(async (signal) => {
    const groupsOf = (by) => api.get(inApp("/statistics/totals"), { run, by }, { signal }).then(({ groups }) => groups, () => []);
    const [dueTimes, ...all] = await Promise.all([
      api.get(inApp(`/runs/${run}/due-times`), { limit: dueTimeLimit }, { signal }).then(({ data }) => data, () => []), ...properties.map(groupsOf),
    ]);
    return { dueTimes, groups: Object.fromEntries(properties.map((name, index) => [name, all[index]])) };
  });
}
