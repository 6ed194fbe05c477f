// Shows the secret of a webhook, once.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";

/** `until` is the time until which the secret before this one signs as well, or null. */
export const SecretDialog = {
  view: ({ attrs: { secret, until, onclose } }) =>
    m(
      Dialog,
      {
        title: t("webhooks.secret"),
        onclose,
        actions: m(Button, { variant: "strong", onclick: onclose }, t("webhooks.secretKept")),
      },
      m("p.soft", t("webhooks.secretText")),
      until && m("p.soft", t("webhooks.secretUntil", { time: moment(until) })),
      m(Copy, { label: t("webhooks.secret"), text: secret }),
    ),
};
