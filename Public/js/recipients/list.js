// The recipients of a run that the address describes, and what can be chosen to narrow them down.

import { api } from "../api.js";
import { joining } from "../joining.js";
import { load } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route } from "../router.js";
import { inApp } from "../session.js";
import { parameters, properties, withParameters } from "./filter.js";

export function recipientsOf(run) {
  return pagedList(inApp(`/runs/${run}/deliveries`), () => parameters(route.query), {
    get: joining((path, values, options) => api.get(withParameters(path, values), {}, options)),
  });
}

/** Due times to choose from, at most. */
const dueTimeLimit = 200;

/**
 * A resource with {groups, dueTimes}: what can be chosen. Each for itself: without one of them the others still help.
 */
export function choicesOf(run) {
  return load(async (signal) => {
    const groupsOf = (by) =>
      api.get(inApp("/statistics/totals"), { run, by }, { signal }).then(({ groups }) => groups, () => []);
    const [dueTimes, ...all] = await Promise.all([
      api.get(inApp(`/runs/${run}/due-times`), { limit: dueTimeLimit }, { signal }).then(({ data }) => data, () => []),
      ...properties.map(groupsOf),
    ]);
    return { dueTimes, groups: Object.fromEntries(properties.map((name, index) => [name, all[index]])) };
  });
}
