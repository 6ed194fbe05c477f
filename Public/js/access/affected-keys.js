// The secret keys of a person who was disabled or lost a role: they stopped, or can do less. An administrator takes
// over those that servers need.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { api } from "../api.js";
import { scopeWords } from "../app/key-scopes.js";
import { session } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { toastError } from "../ui/toast.js";

/** `kind` is "stopped" or "limited", `name` the person's, `keys` are the server's. */
export function AffectedKeys({ attrs: { kind, keys } }) {
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
          title: t(`access.${kind}.title`, { count: keys.length }),
          onclose,
          actions: m(Button, { variant: "strong", onclick: onclose }, t("access.stopped.done")),
        },
        m("p", t(`access.${kind}.text`, { name })),
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
                kind === "limited" &&
                  m("p.meta", t("access.limited.lost", { scopes: enumeration(key.withheld_scopes.map(scopeWords)) })),
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
