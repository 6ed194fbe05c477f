// The receivers that are told what happens in the app.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { SecretDialog } from "../webhooks/secret-dialog.js";
import { WebhookForm } from "../webhooks/webhook-form.js";
import { WebhookSheet } from "../webhooks/webhook-sheet.js";

export default function WebhooksPage() {
  const readonly = !session.may("apps:write");
  const resource = load((signal) => api.get(inApp("/webhooks"), {}, { signal }));
  let isCreating = false, secret = null;

  const show = (made) => {
    secret = made;
    m.redraw();
    return resource.reload();
  };
  const startCreating = () => {
    isCreating = true;
  };
  return {
    onremove: () => resource.end(),
    view: () => [
      m(
        "div.page-head",
        m("h1", t("webhooks.title")),
        !readonly &&
          m(
            Button,
            { variant: "strong", icon: "plus-lg", "data-create": "", onclick: startCreating },
            t("webhooks.create"),
          ),
      ),
      m("p.soft.intro", t("webhooks.intro")),
      Loaded({ resource }, ({ data }) => [
        readonly && m(Banner, t("setup.readOnly")),
        data.length === 0 && m(Empty, { icon: "broadcast", title: t("webhooks.none"), text: t("webhooks.noneText") }),
        m(
          "div.stack.gap-24",
          m(
            "div.stack.gap-24",
            data.map((webhook) =>
              m(WebhookSheet, { key: webhook.id, webhook, readonly, onsecret: show, onchange: () => resource.reload() })
            ),
          ),
          m("p.soft.meta", m("a", { href: page("/reference") }, t("webhooks.reference"))),
        ),
      ]),
      isCreating && m(WebhookForm, {
        onclose: () => {
          isCreating = false;
        },
        onsaved: (made) => {
          isCreating = false;
          return show(made);
        },
      }),
      secret && m(SecretDialog, {
        secret: secret.secret,
        until: secret.rotation_ends_at,
        onclose: () => {
          secret = null;
        },
      }),
    ],
  };
}
