// The pages of the campaigns list, and how rows follow what happens without moving.

import { api } from "../api.js";
import { inApp } from "../session.js";
import { instant } from "./when.js";

/** States whose campaigns come first, in this order, unless the reader chose a filter or an order. */
const first = ["sending", "paused", "scheduled"];

function rank(campaign) {
  if (["sending", "waiting"].includes(campaign.last_run?.state)) return 0;
  const place = first.indexOf(campaign.state);
  return place < 0 ? first.length : place + 1;
}

/** Running, then what is next, then the newest: only the first page of the unfiltered list is put in this order. */
export function inOrder(active, page) {
  const known = new Set(active.map(({ id }) => id));
  const top = [...active].sort((a, b) => rank(a) - rank(b) || instant(a.next_at) - instant(b.next_at));
  return [...top, ...page.filter(({ id }) => !known.has(id))];
}

/**
 * Called like `api.get`: a page {data, next_cursor, counts, tags}. `counts` has the number of campaigns by state, ""
 * for all that are not archived, and "archived"; `tags` are [{tag, count}] of those. The campaigns that come first are
 * asked for if they may be on a later page.
 */
export async function campaignPage(path, values, options) {
  const isPlain = !values.cursor && !values.state && !values.search && !values.sort && !values.archived &&
    !values.tag;
  const [page, { by_state: byState, archived, tags }] = await Promise.all([
    api.get(path, values, options),
    api.get(inApp("/campaign-counts"), {}, options),
  ]);
  const states = isPlain && page.next_cursor ? first.filter((state) => byState[state] > 0) : [];
  const others = await Promise.all(states.map((state) => api.get(path, { state, limit: values.limit }, options)));
  const active = states.length
    ? others.flatMap(({ data }) => data)
    : page.data.filter(({ state }) => first.includes(state));
  return {
    counts: { "": Object.values(byState).reduce((sum, count) => sum + count, 0), ...byState, archived },
    tags,
    data: isPlain ? inOrder(active, page.data) : page.data,
    next_cursor: page.next_cursor,
  };
}

/** The records with what `fresh` says about them: none moves, appears or vanishes under the pointer. */
export function updated(records, fresh) {
  const byID = new Map(fresh.map((each) => [each.id, each]));
  return records.map((each) => byID.get(each.id) ?? each);
}

/** Takes a run's newest totals into the campaign that it belongs to. */
export function takeRun(campaign, run) {
  const {
    state,
    next_at,
    progress,
    targeted,
    accepted,
    delivered,
    opened,
    engaged,
    started_at,
    finished_at,
    verified_at,
  } = run;
  Object.assign(campaign.last_run, {
    state,
    next_at,
    progress,
    targeted,
    accepted,
    delivered,
    opened,
    engaged,
    started_at,
    finished_at,
    verified_at,
  });
}
