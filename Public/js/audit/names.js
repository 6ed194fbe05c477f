// Names of the objects of audit records: the log says “Lucky Draw” and not "campaign 7", and a run is called like its
// campaign.

import m from "../m.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { resourceOf } from "./resource.js";

/** Lists that have names, and the permission to see them. Runs come first, because they lead to campaigns. */
const lists = {
  runs: "campaigns:read",
  campaigns: "campaigns:read",
  templates: "campaigns:read",
  segments: "campaigns:read",
  "local-plans": "content:read",
  media: "content:read",
  keys: "keys",
};
const limit = 200;
const keyOf = ({ app, kind, id }) => `${app}/${kind}/${id}`;

export function namesOf() {
  /** "1/campaigns/7" → "Lucky Draw"; and of a run its campaign's id. */
  const names = new Map(), campaigns = new Map();
  const asked = new Set();

  /** {kind, id, app, run, name}: of a run its campaign, if that is known. */
  function subjectOf(record) {
    const resource = resourceOf(record);
    const campaign = resource.kind === "runs" && campaigns.get(keyOf(resource));
    const subject = campaign ? { ...resource, kind: "campaigns", id: campaign, run: resource.id } : resource;
    return { ...subject, name: names.get(keyOf(subject)) ?? null };
  }
  /** Records have the names that were created or changed in them. */
  function read(records) {
    for (const record of [...records].reverse()) {
      const resource = resourceOf(record);
      const { name, email, identifier, bundle_id: bundle } = { ...record.before, ...record.after };
      const found = name || email || identifier || bundle;
      if (resource.id && typeof found === "string") names.set(keyOf(resource), found);
    }
  }
  async function ask(kind, signal) {
    const { app } = session;
    const { data } = await api.get(inApp(`/${kind}`), { limit }, { signal });
    asked.add(kind);
    for (const { id, name, campaign_id: campaign } of data) {
      const key = keyOf({ app, kind, id });
      if (kind === "runs") campaigns.set(key, campaign);
      else if (!names.has(key)) names.set(key, name);
    }
  }
  return {
    subjectOf,
    /** Reads the records, and asks once for the newest names of each kind that is left without one. */
    async learn(records, signal) {
      read(records);
      for (const kind of Object.keys(lists)) {
        const isLeft = records.map(subjectOf).some((each) =>
          each.kind === kind && each.id && !each.name && each.app === session.app
        );
        if (isLeft && !asked.has(kind) && session.may(lists[kind])) await ask(kind, signal).catch(() => {});
        // A newer load asks for what is left.
        if (signal.aborted) return;
      }
      m.redraw();
    },
  };
}
