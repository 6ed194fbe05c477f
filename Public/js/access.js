// The permission that each page of an app needs. A person who opens an address without it is told so, and sees no
// error.

const rules = [
  [/^\/setup(\/|$)/, "apps:write"],
  [/^\/(categories|local-plans)\/new$/, "content:write"],
  [/^\/(categories|local-plans)(\/|$)/, "content:read"],
  [/^\/devices\/import$/, "devices:write"],
  [/^\/(devices|people|replies)(\/|$)/, "devices:read"],
  [/^\/media$/, "content:read"],
  [/^\/(app|topics|reference|webhooks)$/, "apps:read"],
  [/^\/keys$/, "keys"],
  [/^\/users(\/|$)/, "users"],
  [/^\/audit$/, "audit:read"],
  [/^(\/(analytics|approvals|campaigns|custom-events|templates|segments)(\/|$)|$)/, "campaigns:read"],
];

/** The permission for a path like `/a/1/devices`, or null if the page needs none. */
export function permissionFor(path) {
  const [, inside] = /^\/a\/[^/]+(.*?)\/?$/.exec(path) ?? [];
  return inside === undefined ? null : rules.find(([pattern]) => pattern.test(inside))?.[1] ?? null;
}
