// Shows the address at which a person chooses a password. It is shown this once.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";

/** `made` is {name, link, isNew}. */
export const LinkDialog = {
  view: ({ attrs: { made, onclose } }) =>
    m(
      Dialog,
      {
        title: t(made.isNew ? "access.link.added" : "access.link.title", { name: made.name }),
        onclose,
        actions: m(Button, { variant: "strong", onclick: onclose }, t("access.link.done")),
      },
      m("p", t("access.link.text", { name: made.name })),
      m(Copy, { label: t("access.link.label"), text: made.link }),
      m("p.soft", t("access.link.once")),
    ),
};
