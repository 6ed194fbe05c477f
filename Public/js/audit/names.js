// Names of the objects of audit records: the log says “Lucky Draw” and not "campaign 7", and a run is called like its campaign.

import m from "../m.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { resourceOf } from "./resource.js";

/** Lists that have names, and the permission to see them. Runs come first, because they lead to campaigns. */
const lists = { runs: "campaigns:read", campaigns: "campaigns:read", templates: "campaigns:read", segments: "campaigns:read", "local-plans": "content:read", keys: "keys" };
const limit = 200;

export function namesOf() {
  /** "campaigns/7" → "Lucky Draw"; and of a run its campaign's id. */
  const names = new Map(), campaigns = new Map();
  const asked = new Set();

  /** {kind, id, app, run, name}: of a run its campaign, if that is known. */
  function subjectOf(record) {
    const resource = resourceOf(record);
    const campaign = resource.kind === "runs" && campaigns.get(resource.id);
    const subject = campaign ? { ...resource, kind: "campaigns", id: campaign, run: resource.id } : resource;
    return { ...subject, name: names.get(`${subject.kind}/${subject.id}`) ?? null };
  }
  /** Records tell the names that were created or changed in them. */
  function read(records) {
    for (const record of [...records].reverse()) {
      const { kind, id } = resourceOf(record);
      const { name, email, identifier, bundle_id: bundle } = { ...record.before, ...record.after };
      const found = name || email || identifier || bundle;
      if (id && typeof found === "string") names.set(`${kind}/${id}`, found);
    }
  }
  async function ask(kind, signal) {
    asked.add(kind);
    const { data } = await api.get(inApp(`/${kind}`), { limit }, { signal }).catch(() => ({ data: [] }));
    for (const { id, name, campaign_id: campaign } of data) {
      if (kind === "runs") campaigns.set(id, campaign);
      else if (!names.has(`${kind}/${id}`)) names.set(`${kind}/${id}`, name);
    }
  }
  return {
    subjectOf,
    /** Reads the records, and asks once for the newest names of each kind that is left without one. */
    async learn(records, signal) {
      read(records);
      for (const kind of Object.keys(lists)) {
        const isLeft = records.map(subjectOf).some((each) => each.kind === kind && each.id && !each.name && each.app === session.app);
        if (isLeft && !asked.has(kind) && session.may(lists[kind])) await ask(kind, signal);
      }
      m.redraw();
    },
  };
}
