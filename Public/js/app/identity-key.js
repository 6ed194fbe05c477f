// Makes the key with which the app's server signs user ids. It is shown once.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp } from "../session.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ask, Dialog } from "../ui/dialog.js";
import { toastError } from "../ui/toast.js";

export function IdentityKey() {
  let made = null;
  async function make() {
    if (
      !await ask({
        title: t("appPage.identity.title"),
        text: t("appPage.identity.text"),
        confirm: t("appPage.identity.make"),
        variant: "strong",
      })
    ) return;
    made =
      await api.post(inApp("/identity-key"), undefined, { idempotencyKey: newIdempotencyKey() }).catch(toastError) ??
        null;
    m.redraw();
  }
  return {
    view: () => [
      m("div.row", m(Button, { class: "small", icon: "key", onclick: make }, t("appPage.identity.make"))),
      made && m(
        Dialog,
        {
          title: t("appPage.identity.made"),
          onclose: () => {
            made = null;
          },
          actions: m(Button, {
            variant: "strong",
            onclick: () => {
              made = null;
            },
          }, t("appPage.kept")),
        },
        m("p.soft", t("appPage.identity.madeText")),
        m(Copy, { label: t("appPage.identity.made"), text: made.secret }),
      ),
    ],
  };
}
