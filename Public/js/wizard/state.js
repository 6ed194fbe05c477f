// Reads from the API how far the set-up of an app is, so that it goes on anywhere.

import { api } from "../api.js";
import { inApp, session } from "../session.js";

export const steps = ["app", "key", "code", "push"];

const item = (app) => `belfry.wizard.${app}`;

/** Values that only this tab knows: `key`, the publishable key's text, which the API returns once; `skipsKey`. */
export function kept(app) {
  return JSON.parse(sessionStorage.getItem(item(app)) ?? "{}");
}
export function keep(app, values) {
  sessionStorage.setItem(item(app), JSON.stringify({ ...kept(app), ...values }));
}

/** {credentials, keys, device}: `keys` are the publishable ones that work; null where the reader may not look. */
export async function readState(signal) {
  const [credentials, keys, device] = await Promise.all([
    session.may("apps:read")
      ? api.get(inApp("/credentials"), { limit: 20 }, { signal }).then(({ data }) => data)
      : null,
    session.may("keys")
      ? api.get(inApp("/keys"), { limit: 200 }, { signal }).then(({ data }) => data.filter(isWorking))
      : null,
    session.may("devices:read") ? firstDevice(signal) : null,
  ]);
  return { credentials, keys, device };
}

export async function firstDevice(signal) {
  return (await api.get(inApp("/devices"), { limit: 1, registered: true }, { signal })).data[0] ?? null;
}

function isWorking({ kind, revoked_at: revoked, expires_at: end }) {
  return kind === "publishable" && !revoked && (!end || new Date(end) > new Date());
}

/** The steps that are done. */
export function doneSteps(state, app) {
  return new Set([
    app && "app",
    (state?.credentials?.length || (app && kept(app).skipsKey)) && "key",
    (state?.keys?.some(({ last_used_at: used }) => used) || state?.device || (app && kept(app).sawCode)) && "code",
    app && kept(app).pushed && "push",
  ].filter(Boolean));
}

/** The first step that is not done. */
export const nextStep = (state, app) => steps.find((step) => !doneSteps(state, app).has(step)) ?? "push";
