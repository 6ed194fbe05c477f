// The runs of campaigns that conditions name, loaded when they are first asked for.

import m from "../m.js";
import { moment } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";

/** Runs of a campaign that are offered, the newest first. */
const limit = 50;
const cache = new Map();

/** What a path of the API answers, or `instead` until it is there, or if it is not. */
function loaded(path, values, instead) {
  const key = `${session.app} ${path}`;
  if (!cache.has(key)) {
    cache.set(key, instead);
    api.get(inApp(path), values).then((answer) => {
      cache.set(key, answer);
      m.redraw();
    }, () => {
      // Without it, the condition is shown with fewer words.
    });
  }
  return cache.get(key);
}

/** As {value, label}. */
export const runsOf = (campaign) =>
  loaded(`/campaigns/${campaign}/runs`, { limit }, { data: [] }).data
    .map((run) => ({ value: run.id, label: moment(run.started_at) }));

const run = (id) => loaded(`/runs/${id}`, {}, null);

/** When the run began, in words, or null. */
export function runTime(id) {
  const found = run(id);
  return found && moment(found.started_at);
}

/** The variants of a run, as {value, label}. */
export const variantsOf = (id) =>
  (run(id)?.variants ?? []).map(({ variant, name }) => ({ value: String(variant), label: name }));
