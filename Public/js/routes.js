// Every address and the module of its page, which is loaded when it is first opened, with the parts of the
// texts that it needs beside the common ones.

import { loadTexts } from "./i18n.js";
import { loadModule } from "./modules.js";

const lazy = (name, ...texts) => async () =>
  (await Promise.all([loadModule(`pages/${name}.js`), ...texts.map(loadTexts)]))[0];

export const routes = [
  ["/", lazy("home")],
  ["/sign-in", lazy("sign-in")],
  ["/setup", lazy("wizard", "setup")],
  ["/setup/:step", lazy("wizard", "setup")],
  ["/styles", lazy("styles")],
  ["/glossary", lazy("glossary")],
  ["/account", lazy("account", "access")],
  ["/a/:app", lazy("dashboard")],
  ["/a/:app/setup", lazy("wizard", "setup")],
  ["/a/:app/setup/:step", lazy("wizard", "setup")],
  ["/a/:app/campaigns", lazy("campaigns")],
  ["/a/:app/campaigns/:campaign", lazy("campaign")],
  ["/a/:app/campaigns/:campaign/report", lazy("report", "analytics")],
  ["/a/:app/campaigns/:campaign/runs/:run", lazy("report", "analytics")],
  ["/a/:app/campaigns/:campaign/runs/:run/people", lazy("people", "history")],
  ["/a/:app/campaigns/:campaign/:step", lazy("editor")],
  ["/a/:app/approvals", lazy("approvals", "approval")],
  ["/a/:app/templates", lazy("templates")],
  ["/a/:app/templates/:template", lazy("template")],
  ["/a/:app/segments", lazy("segments")],
  ["/a/:app/segments/:segment", lazy("segment")],
  ["/a/:app/devices", lazy("devices")],
  ["/a/:app/devices/import", lazy("import", "import")],
  ["/a/:app/devices/:installation", lazy("device", "history")],
  ["/a/:app/people/:user", lazy("person", "history")],
  ["/a/:app/analytics", lazy("analytics", "analytics")],
  ["/a/:app/replies", lazy("replies", "replies")],
  ["/a/:app/media", lazy("media", "media")],
  ["/a/:app/categories", lazy("categories", "setup")],
  ["/a/:app/categories/:category", lazy("category", "setup")],
  ["/a/:app/custom-events", lazy("custom-events", "events", "setup")],
  ["/a/:app/topics", lazy("topics", "setup")],
  ["/a/:app/local-plans", lazy("local-plans", "setup")],
  ["/a/:app/local-plans/:plan", lazy("local-plan", "setup")],
  ["/a/:app/app", lazy("app", "settings", "setup")],
  ["/a/:app/keys", lazy("keys", "access", "setup")],
  ["/a/:app/webhooks", lazy("webhooks", "webhooks", "setup")],
  ["/a/:app/users", lazy("users", "access")],
  ["/a/:app/users/:member", lazy("user", "access")],
  ["/a/:app/audit", lazy("audit", "access", "setup")],
  ["/a/:app/status", lazy("status", "status")],
  ["/a/:app/reference", lazy("reference", "reference")],
  [".*", lazy("missing")],
];
