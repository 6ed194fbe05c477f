// Names of campaigns by their ids, with the newest run, to which numbers may belong.

import { t } from "../i18n.js";
import { api, forEachConcurrently, query } from "../api.js";
import { inApp, page } from "../session.js";
import { outcomes } from "./measures.js";

/** Up to this many are asked for one by one; more come with a list first. */
const single = 4;
/** The most campaigns that are asked for beyond the list. */
const furthest = 50;

/** A campaign as in lists: with its newest run. */
async function one(id, signal) {
  const [campaign, runs] = await Promise.all([
    api.get(inApp(`/campaigns/${id}`), {}, { signal }),
    api.get(inApp(`/campaigns/${id}/runs`), { limit: 1 }, { signal }),
  ]);
  return { ...campaign, last_run: runs.data[0] ?? null };
}

/** Resolves to a Map from id to {id, name, last_run}. A campaign that could not be read has no entry. */
export async function campaignsOf(ids, signal) {
  const wanted = [...new Set(ids)].filter((id) => id !== "0");
  const found = new Map();
  /** The numbers are shown without names, too. */
  const orNothing = (error) => {
    if (signal?.aborted) throw error;
  };
  if (wanted.length > single) {
    const newest = await api.get(inApp("/campaigns"), { limit: 200, sort: "updated" }, { signal }).catch(orNothing);
    newest?.data.forEach((each) => found.set(each.id, each));
  }
  const missing = wanted.filter((id) => !found.has(id)).slice(0, furthest);
  await forEachConcurrently(missing, async (id) => {
    const campaign = await one(id, signal).catch(orNothing);
    if (campaign) found.set(id, campaign);
  });
  return found;
}

/** The name of a group by campaign. 0 means pushes without a campaign. */
export function campaignName(id, campaigns) {
  if (id === "0") return t("analytics.single");
  return campaigns.get(id)?.name ?? t("analytics.noName", { id });
}

/** Returns true if all counts of a campaign come from its newest run: its numbers then lead to that run's devices. */
export function isLastRun(counts, run) {
  return Boolean(run?.finished_at) && run.targeted > 0 && counts.targeted === run.targeted &&
    counts.accepted === run.accepted;
}

/** The events behind measures that have another name. */
const events = { actions: "action", replies: "text", conversions: "converted", conversion_value: "converted" };

/** The parameters of a list of recipients with a measure. */
function filterOf(measure) {
  if (measure === "targeted") return {};
  if (measure === "engaged") return { engaged: "true" };
  if (measure === "opened") return { opened: "true" };
  return outcomes.includes(measure) ? { kind: measure } : { event: events[measure] ?? measure };
}

/** The people behind a number of a run; `more` are further parameters of the list, such as a locale. */
export function peopleHref(campaign, run, measure, more = {}) {
  return page(`/campaigns/${campaign}/runs/${run}/people${query({ ...filterOf(measure), ...more })}`);
}
