// Stores a key of Apple, and asks Apple whether it knows it: a push to a token that nobody has is answered either
// "no such device", then the key is good, or with what is wrong with the key. No phone gets anything.

import { api } from "../api.js";
import { inApp, session } from "../session.js";

const nobody = "0".repeat(64);
/** Apple's reasons that are about the key. "BadDeviceToken" is the good one. */
const wrongKey = ["InvalidProviderToken", "ExpiredProviderToken", "MissingProviderToken", "Forbidden", "BadEnvironmentKeyIdInToken", "UnrelatedKeyIdInToken"];
const wrongApp = ["TopicDisallowed", "BadTopic", "MissingTopic"];

/**
 * What Apple says about the app's key: {state, reason, meaning, remedy}; `state` is known, wrong-key, wrong-app, or
 * unanswered (Apple could not be reached, or the reader may not send test pushes).
 */
export async function checkKey(environment = "production") {
  if (!session.may("test-pushes:send")) return { state: "unanswered", reason: null };
  const { data: [result] } = await api.post(inApp("/test-pushes"), {
    token: nobody, environment, payload: { aps: { alert: "Belfry" } },
  }, { limit: 30_000 });
  const { reason, meaning, remedy, status } = result;
  const state = wrongKey.includes(reason) ? "wrong-key" : wrongApp.includes(reason) ? "wrong-app" : status ? "known" : "unanswered";
  return { state, reason, meaning, remedy };
}

/**
 * Stores the key and asks Apple; a key that Apple does not know is deleted again. Returns {credential, check}; `credential`
 * is null then.
 */
export async function addKey({ keyID, teamID, p8, environments }) {
  const credential = await api.post(inApp("/credentials"), { key_id: keyID, team_id: teamID, p8, environments });
  let check;
  try {
    check = await checkKey(environments[0]);
  } catch {
    return { credential, check: { state: "unanswered", reason: null } };
  }
  if (check.state !== "wrong-key") return { credential, check };
  await api.delete(inApp(`/credentials/${credential.id}`));
  return { credential: null, check };
}
