// The roles, and what each may do in words. Docs/permissions.md has the permissions behind them.

import { t } from "../i18n.js";
import { session } from "../session.js";

export const roles = ["viewer", "analyst", "marketer", "sender", "developer", "admin"];

/** Each task and the roles that permit it; tasks that most roles permit come first. */
export const abilities = [
  ["see", roles],
  ["devices", ["analyst", "marketer", "sender", "developer", "admin"]],
  ["content", ["marketer", "sender", "developer", "admin"]],
  ["test", ["marketer", "sender", "developer", "admin"]],
  ["campaigns", ["marketer", "sender", "admin"]],
  ["send", ["sender", "admin"]],
  ["export", ["analyst", "admin"]],
  ["app", ["developer", "admin"]],
  ["keys", ["developer", "admin"]],
  ["people", ["admin"]],
];

/** The name of the app with this id; a person who has no role in it sees the id alone. */
function appName(id) {
  return session.apps.find((each) => each.id === id)?.name ?? t("access.app", { id });
}

/** "Sender in Bell Tower", "Admin in all apps". */
export function roleWords({ role, app_id: app }) {
  const name = t(`access.role.${role}.name`);
  return app === null
    ? t("access.roleInAll", { role: name })
    : t("access.roleInApp", { role: name, app: appName(app) });
}

export function isSameRole(a, b) {
  return a.role === b.role && a.app_id === b.app_id;
}

/** Returns true if a person with these roles can open this page again: it is for admins of all apps. */
export function managesPeople(assignments) {
  return assignments.some(({ role, app_id: app }) => role === "admin" && app === null);
}

/** The session's person. */
export function isMe({ id }) {
  return id === session.current?.user.id;
}
