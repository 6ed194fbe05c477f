// The permissions that a key can have, in words.

import { has, t } from "../i18n.js";

const scopes = [
  "apps:read",
  "apps:write",
  "apps:delete",
  "devices:read",
  "devices:write",
  "devices:export",
  "devices:tokens",
  "campaigns:read",
  "campaigns:write",
  "campaigns:send",
  "campaigns:approve",
  "content:read",
  "content:write",
  "test-pushes:send",
  "pushes:send",
  "keys",
  "audit:read",
];

/** The scopes of a key for all apps; `users` belongs to no app. */
export function scopesOf(allApps) {
  return allApps ? [...scopes, "users"] : scopes;
}

export function isComplete(granted, allApps) {
  return scopesOf(allApps).every((each) => granted.includes(each));
}

/** The scope in words, or its code if a newer server has it. */
export function scopeWords(scope) {
  const key = scope.replace(":", "_");
  return has(`apiKeys.scope.${key}`) ? t(`apiKeys.scope.${key}`) : scope;
}
