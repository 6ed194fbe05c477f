// The permission that an operation needs of a key or a person. The description does not have it; a story compares this
// with Docs/routes.md. Does not use the DOM.

const app = "/v1/apps/\\{app\\}";
/** [path, permission to read, permission to change]: the first that fits counts. */
const rules = [
  ["/v1/users", "users", "users"],
  [`(/v1|${app})/keys`, "keys", "keys"],
  [`(/v1|${app})/audit`, "audit:read", null],
  ["/v1/status", "audit:read", null],
  ["/mcp", null, "apps:read"],
  [`${app}/.*/export`, "devices:export", null],
  [`${app}/test-pushes`, null, "test-pushes:send"],
  [`${app}/pushes`, "pushes:send", "pushes:send"],
  [`${app}/campaigns/\\{campaign\\}/test/decision`, "campaigns:read", "campaigns:send"],
  [
    `${app}/(runs/\\{run\\}|campaigns/\\{campaign\\}/(cancel|pause|resume|schedule|skip|start|trigger|unschedule))`,
    "campaigns:read",
    "campaigns:send",
  ],
  [`${app}/approvals/\\{approval\\}/(approve|reject)`, null, "campaigns:approve"],
  [`${app}/(audiences/count|templates/(\\{template\\}/)?preview)`, null, "campaigns:read"],
  [`${app}/custom-event-names`, "campaigns:read", "apps:write"],
  [
    `${app}/(approvals|approval-counts|control-periods|campaigns|campaign-counts|runs|segments|templates|statistics)`,
    "campaigns:read",
    "campaigns:write",
  ],
  [`${app}/devices/import`, "devices:write", "devices:write"],
  [
    `${app}/(devices|device-values|people|tag-changes|virtual-phones|acknowledgements|custom-events|replies)`,
    "devices:read",
    "devices:write",
  ],
  [`${app}/(categories|local-plans|media)`, "content:read", "content:write"],
].map(([path, read, write]) => [new RegExp(`^${path}(/|$)`), read, write]);

/** "campaigns:write", or null if nothing or only a session is needed. `security` says whether there is one at all. */
export function permissionOf({ method, path, security = [] }) {
  if (!security.some((each) => "secretKey" in each) || path === "/v1/key") return null;
  if (method === "delete" && path === "/v1/apps/{app}") return "apps:delete";
  const found = rules.find(([expression]) => expression.test(path));
  return found ? found[method === "get" ? 1 : 2] : `apps:${method === "get" ? "read" : "write"}`;
}
