// The secret keys that stopped with the person who made them. An administrator takes over those that servers need.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api } from "../api.js";
import { session } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { toastError } from "../ui/toast.js";

/** `name` is the person's, `keys` are the server's. */
export function StoppedKeys({ attrs: { keys } }) {
  const isTaken = new Set();
  const appName = (
    { app_id: id },
  ) => (id === null
    ? t("access.allApps")
    : session.apps.find((app) => app.id === id)?.name ?? t("access.stopped.app", { id }));

  async function adopt(key) {
    const path = key.app_id === null ? "/v1/keys" : `/v1/apps/${key.app_id}/keys`;
    await api.post(`${path}/${key.id}/adopt`).then(() => isTaken.add(key.id), toastError);
    m.redraw();
  }
  return {
    view: ({ attrs: { name, onclose } }) =>
      m(
        Dialog,
        {
          title: t("access.stopped.title", { count: keys.length }),
          onclose,
          actions: m(Button, { variant: "strong", onclick: onclose }, t("access.stopped.done")),
        },
        m("p", t("access.stopped.text", { name })),
        m(
          "ul.plain.stack.tight",
          keys.map((key) =>
            m(
              "li.row",
              { key: key.id },
              m(
                "div.grow",
                m("b", key.name),
                m(
                  "span.meta.device-under",
                  m("code", `${key.prefix}…`),
                  " · ",
                  appName(key),
                  key.last_used_at && ` · ${t("access.stopped.used", { time: moment(key.last_used_at) })}`,
                ),
              ),
              isTaken.has(key.id) ? m("span.soft", { role: "status" }, t("access.stopped.taken")) : m(Button, {
                onclick: () => adopt(key),
                "aria-label": t("access.stopped.takeNamed", { name: key.name }),
              }, t("access.stopped.take")),
            )
          ),
        ),
      ),
  };
}
