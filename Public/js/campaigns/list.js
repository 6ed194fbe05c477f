// The pages of the campaigns list, and how rows follow what happens without moving.

import { api } from "../api.js";
import { inApp } from "../session.js";
import { instant } from "./when.js";

/** States whose campaigns come first, in this order, unless the reader chose a filter or an order. */
const first = ["sending", "paused", "scheduled"];
/** How many newest runs are looked at for what a campaign's own `last_run` does not say. */
const runLimit = 200;

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
 * Called like `api.get`: a page {data, next_cursor, counts, verified}. `counts` maps states to {count, isAtLeast}, as far as the
 * usual order had to ask for them; null otherwise. `verified` maps ids of runs to when they were verified, as
 * far as they are among the newest ones.
 */
export async function campaignPage(path, values, options) {
  const isPlain = !values.cursor && !values.state && !values.search && !values.sort && !values.archived;
  const [page, runs, ...active] = await Promise.all([
    api.get(path, values, options),
    api.get(inApp("/runs"), { limit: runLimit }, options),
    ...(isPlain ? first.map((state) => api.get(path, { state, limit: values.limit }, options)) : []),
  ]);
  return {
    counts: isPlain ? new Map(first.map((state, index) => [state, { count: active[index].data.length, isAtLeast: Boolean(active[index].next_cursor) }])) : null,
    data: inOrder(active.flatMap(({ data }) => data), page.data),
    next_cursor: page.next_cursor,
    verified: new Map(runs.data.filter((run) => run.verified_at).map((run) => [run.id, run.verified_at])),
  };
}

/** The records with what `fresh` says about them: none moves, appears or vanishes under the pointer. */
export function updated(records, fresh) {
  const byID = new Map(fresh.map((each) => [each.id, each]));
  return records.map((each) => byID.get(each.id) ?? each);
}

/** Takes a run's newest totals into the campaign that it belongs to. */
export function takeRun(campaign, run) {
  const { state, next_at, progress, targeted, accepted, delivered, opened, started_at, finished_at } = run;
  Object.assign(campaign.last_run, { state, next_at, progress, targeted, accepted, delivered, opened, started_at, finished_at });
}
