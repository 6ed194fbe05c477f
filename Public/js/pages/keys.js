// The API keys of an app, and those for all apps.

import m from "../m.js";
import { t } from "../i18n.js";
import { Keys } from "../app/keys.js";
import { inApp, page, session } from "../session.js";
import { Button } from "../ui/button.js";

export default function KeysPage() {
  const seesAll = session.may("keys", null);
  return {
    view: () => [
      m(
        "div.page-head",
        m("h1", t("apiKeys.title")),
        session.may("apps:read") && m(Button, { icon: "braces", href: page("/reference") }, t("nav.reference")),
      ),
      m("p.soft.intro", t("apiKeys.intro")),
      m(
        "div.stack.gap-24",
        m(Keys, {
          path: inApp("/keys"),
          parameter: "ended",
          isMain: true,
          title: t("apiKeys.ofApp", { app: session.thisApp.name }),
          text: t("apiKeys.ofAppText"),
        }),
        seesAll &&
          m(Keys, {
            path: "/v1/keys",
            parameter: "endedForAll",
            allApps: true,
            title: t("apiKeys.ofAll"),
            text: t("apiKeys.ofAllText"),
          }),
        m("p.soft.meta.intro", t("apiKeys.limits")),
      ),
    ],
  };
}
