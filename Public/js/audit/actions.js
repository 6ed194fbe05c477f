// The actions that the log records, by the kind of their resource: what the filters offer. One that is not here is
// found by its address.

/** In one app: the kind and its verbs. A name with a point is a whole action. */
export const inApp = {
  campaigns: [
    "create",
    "update",
    "schedule",
    "unschedule",
    "start",
    "trigger",
    "pause",
    "resume",
    "skip",
    "fail",
    "cancel",
    "archive",
    "unarchive",
    "duplicate",
    "delete",
  ],
  runs: ["pause", "resume", "cancel", "update", "runs.deliveries.export"],
  templates: ["create", "update", "archive", "unarchive", "duplicate", "delete"],
  segments: ["create", "update", "archive", "unarchive", "duplicate", "delete"],
  "test-pushes": ["create"],
  pushes: ["create"],
  devices: ["update", "delete", "import", "export"],
  "virtual-phones": ["create"],
  people: ["update", "delete"],
  "tag-changes": ["create", "cancel"],
  replies: ["delete", "export"],
  events: ["export"],
  categories: ["create", "update", "archive", "unarchive", "delete"],
  topics: ["create", "update", "archive", "unarchive", "delete"],
  "local-plans": ["create", "update", "archive", "unarchive", "duplicate", "delete"],
  media: ["create", "delete"],
  credentials: ["create", "delete"],
  "identity-key": ["create"],
  keys: ["create", "rotate", "delete"],
  webhooks: ["create", "update", "rotate", "test", "webhooks.deliveries.resend", "delete"],
};

/** The kinds of objects that belong to no app. */
export const elsewhere = {
  apps: ["create", "update", "delete"],
  users: ["create", "update", "disable", "enable", "password-link", "set-password"],
  session: ["create", "refuse", "delete", "password.choose", "set-up.create"],
  sessions: ["delete"],
  password: ["update"],
  keys: ["create", "rotate", "delete"],
  audit: ["prune"],
};

/** The whole name of an action: "campaigns.start". */
export function actionOf(kind, verb) {
  return verb.includes(".") ? verb : `${kind}.${verb}`;
}

/** The beginning of the path of a kind's resources. */
export function pathOf(kind, app) {
  return app ? `/v1/apps/${app}/${kind}` : `/v1/${kind}`;
}
