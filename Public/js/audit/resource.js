// Takes the path of a record's resource apart. Does not use the DOM.

/** Kinds whose records are pages of the app: the part of the page's address. */
const pages = {
  campaigns: "campaigns",
  templates: "templates",
  segments: "segments",
  categories: "categories",
  "local-plans": "local-plans",
  people: "people",
  users: "users",
};
/** Kinds that share one page. */
const lists = {
  keys: "/keys",
  topics: "/topics",
  webhooks: "/webhooks",
  media: "/media",
  credentials: "/app",
  "identity-key": "/app",
  apps: "/app",
  devices: "/devices",
};

/** {kind, id, app} of "/v1/apps/1/campaigns/7/schedule": "campaigns", "7", "1". `id` is null for a whole list. */
export function resourceOf({ resource, action }) {
  const [first, ...rest] = resource.split("/").filter((each) => each && each !== "v1").map(decoded);
  const isInApp = first === "apps" && rest.length > 1;
  const [kind, id = null] = isInApp ? rest.slice(1) : [first, ...rest];
  const verb = action.split(".").at(-1);
  return { kind: kind ?? "", id: id === verb ? null : id, app: first === "apps" ? rest[0] ?? null : null };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The end of the page's address where the resource can be seen, or null. */
export function pageOf({ kind, id, run }) {
  if (run) return `/campaigns/${id}/runs/${run}`;
  if (pages[kind] && id) return `/${pages[kind]}/${encodeURIComponent(id)}`;
  return lists[kind] ?? (pages[kind] && kind !== "people" ? `/${pages[kind]}` : null);
}
