// The pages of an app, as the rail and the command palette list them: path, name of the text, icon, permission.

import { requiresApproval } from "./approvals.js";
import { session } from "./session.js";

export const work = [
  ["", "dashboard", "house", "campaigns:read"],
  ["/campaigns", "campaigns", "megaphone", "campaigns:read"],
  ["/approvals", "approvals", "person-check", "campaigns:read"],
  ["/templates", "templates", "file-earmark-text", "campaigns:read"],
  ["/segments", "segments", "people", "campaigns:read"],
  ["/devices", "devices", "phone", "devices:read"],
  ["/analytics", "analytics", "bar-chart-line", "campaigns:read"],
  ["/replies", "replies", "chat-left-text", "devices:read"],
];
export const setup = [
  ["/categories", "categories", "ui-checks", "content:read"],
  ["/custom-events", "customEvents", "flag", "campaigns:read"],
  ["/topics", "topics", "bell", "apps:read"],
  ["/local-plans", "localPlans", "calendar-week", "content:read"],
  ["/media", "media", "images", "content:read"],
  ["/app", "app", "gear", "apps:read"],
  ["/keys", "keys", "key", "keys"],
  ["/users", "users", "person-gear", "users"],
  ["/audit", "audit", "journal-check", "audit:read"],
  ["/status", "status", "activity", "audit:read"],
  ["/reference", "reference", "braces", "apps:read"],
];

/**
 * Returns true if the reader may open the page. People with access and processes belong to no app, so a role in one app
 * does not suffice. Where nothing needs an approval, its page is not offered.
 */
export function mayOpen([path, , , permission]) {
  if (path === "/approvals" && !requiresApproval()) return false;
  return session.may(permission, ["/users", "/status"].includes(path) ? null : session.app);
}
