// Asks Apple about a key, then stores it. Nothing is stored that Apple refuses.

import { api } from "../api.js";
import { inApp } from "../session.js";
import { problemsOf } from "./problems.js";

/** Milliseconds: the server waits up to 35 s for Apple. */
const timeoutMs = 60_000;

/**
 * Returns {credential, check}; `credential` is null if nothing was stored. `check` is {state, findings}: `state` is
 * accepted, rejected, unknown (Apple could not be asked, or did not say), or unchecked; a finding is what Apple said
 * for one environment.
 */
export async function addKey({ keyID, teamID, p8, environments }, { isUnchecked = false } = {}) {
  const draft = { key_id: keyID, team_id: teamID, p8, environments };
  const check = isUnchecked ? { state: "unchecked", findings: [] } : await checkKey(draft);
  if (check.state === "rejected" || check.state === "unknown") return { credential: null, check };
  return { credential: await api.post(inApp("/credentials"), draft), check };
}

async function checkKey(draft) {
  const { data: findings } = await api.post(inApp("/credentials/check"), draft, { timeoutMs });
  const state = ["rejected", "unknown"].find((each) => findings.some(({ outcome }) => outcome === each)) ?? "accepted";
  return { state, findings };
}

/** The sentence about a text that is no key, or undefined. Apple is not asked about a key alone. */
export async function problemOfKey(p8) {
  try {
    await api.post(inApp("/credentials/check"), { p8 });
  } catch (error) {
    return problemsOf(error).at("p8");
  }
}
