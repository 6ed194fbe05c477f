// The settings of an app, in sections that are saved each on its own.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Credentials } from "../app/credentials.js";
import {
  ApprovalSection,
  ControlSection,
  GeneralSection,
  NamesSection,
  RegistrationSection,
  SendingSection,
} from "../app/sections.js";
import { followHash, SettingsIndex } from "../settings/index.js";
import { RetentionSection } from "../settings/retention.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { toast, toastError } from "../ui/toast.js";

export default function AppPage() {
  const readonly = !session.may("apps:write");
  const resource = load((signal) => api.get(inApp(), {}, { signal }));

  async function remove(app) {
    if (
      !await ask({
        title: t("appPage.deleteTitle", { name: app.name }),
        text: t("appPage.deleteText"),
        confirm: t("appPage.deleteConfirm"),
        typed: app.name,
        typedLabel: t("appPage.deleteTyped", { name: app.name }),
      })
    ) return;
    await api.delete(inApp(), { timeoutMs: 120_000 }).then(async () => {
      await session.loadApps();
      toast(t("setup.deleted"));
      navigate("/");
    }, toastError);
  }
  const sections = () => [
    ...["general", "sending", "approval", "control", "registration", "names"].map((name) => ({
      id: `settings-${name}`,
      label: t(`appPage.section.${name}`),
    })),
    { id: "settings-retention", label: t("settings.retention") },
    { id: "settings-credentials", label: t("appPage.credential.title") },
  ];
  return {
    onremove: () => resource.end(),
    view: () => [
      m(
        "div.page-head",
        m("h1", t("appPage.title")),
        !readonly && m(Button, { icon: "bell", href: page("/setup") }, t("appPage.wizard")),
      ),
      Loaded(
        { resource },
        (app) =>
          m(
            "div.settings-page",
            m(SettingsIndex, { sections: sections() }),
            m(
              "div.settings.stack",
              { style: { "--gap": "24px" }, oncreate: followHash },
              readonly && m(Banner, t("setup.readOnly")),
              m(GeneralSection, { app, readonly }),
              m(SendingSection, { app, readonly }),
              m(ApprovalSection, { app, readonly }),
              m(ControlSection, { app, readonly }),
              m(RegistrationSection, { app, readonly }),
              m(NamesSection, { app, readonly }),
              m(RetentionSection, { app, readonly }),
              m(Credentials, { app, readonly }),
              session.may("keys") &&
                m(
                  "section.sheet.row",
                  { "aria-label": t("appPage.keys") },
                  m("div.grow", m("h2", t("appPage.keys")), m("p.soft", t("appPage.keysText"))),
                  m(Button, { icon: "key", href: page("/keys") }, t("appPage.openKeys")),
                ),
              m(
                "section.sheet.row",
                { "aria-label": t("appPage.webhooks") },
                m("div.grow", m("h2", t("appPage.webhooks")), m("p.soft", t("appPage.webhooksText"))),
                m(Button, { icon: "broadcast", href: page("/webhooks") }, t("appPage.openWebhooks")),
              ),
              session.may("apps:delete") &&
                m(
                  "section.sheet.stack.danger-zone",
                  m("h2", t("appPage.delete")),
                  m("p.soft", t("appPage.deleteText")),
                  m(
                    "div.row",
                    m(Button, { variant: "danger", onclick: () => remove(app) }, t("appPage.deleteConfirm")),
                  ),
                ),
            ),
          ),
      ),
    ],
  };
}
