// The API keys of an app: list, create (shown once), rotate, revoke.

import m from "../m.js";
import { t, moment, relative, list } from "../i18n.js";
import { all, api, newIdempotencyKey } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Menu } from "../ui/menu.js";
import { Switch } from "../ui/field.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";
import { NewKey } from "./new-key.js";

const stateOf = ({ revoked_at: revoked, expires_at: end }) => (revoked ? "revoked" : end && new Date(end) <= new Date() ? "expired" : "works");
/** Hours that a replaced key goes on. */
const overlap = 24;

export function Keys() {
  const resource = load(() => all(inApp("/keys")));
  let isCreating = false, made = null, showsOld = false;

  async function rotate(key) {
    if (!await ask({ title: t("appPage.key.rotateTitle", { name: key.name }), text: t("appPage.key.rotateText", { hours: overlap }), confirm: t("appPage.key.rotate"), look: "strong" })) return;
    try {
      made = await api.post(inApp(`/keys/${key.id}/rotate`), { overlap_hours: overlap }, { idempotencyKey: newIdempotencyKey() });
      await resource.reload();
    } catch (error) {
      toastError(error);
    }
  }
  async function revoke(key) {
    const text = [t("appPage.key.revokeText"), key.kind === "publishable" && t("appPage.key.revokeApp"), key.last_used_at && t("appPage.key.revokeUsed", { time: moment(key.last_used_at) })].filter(Boolean).join(" ");
    if (!await ask({ title: t("appPage.key.revokeTitle", { name: key.name }), text, confirm: t("appPage.key.revoke") })) return;
    await api.delete(inApp(`/keys/${key.id}`)).then(() => {
      toast(t("appPage.key.revoked"));
      return resource.reload();
    }, toastError);
  }
  const columns = [
    { id: "name", label: t("appPage.key.name"), wide: true, cell: (key) => [m("b", key.name), " ", m("code.soft", `${key.prefix}…`)] },
    { id: "kind", label: t("appPage.key.kind"), cell: (key) => [t(`appPage.key.kinds.${key.kind}`), key.scopes.length > 0 && m("span.soft", { title: key.scopes.join(", ") }, ` · ${t("appPage.key.scopeCount", { count: key.scopes.length })}`)] },
    { id: "used", label: t("appPage.key.used"), cell: ({ last_used_at: at }) => (at ? m("span.nowrap", { title: moment(at) }, `${moment(at)} (${relative(at)})`) : t("appPage.key.never")) },
    { id: "state", label: t("appPage.key.state"), cell: (key) => (stateOf(key) === "works" ? (key.expires_at ? t("appPage.key.until", { time: moment(key.expires_at) }) : t("appPage.key.works")) : m(Badge, t(`appPage.key.${stateOf(key)}State`))) },
    { id: "menu", label: "", cell: (key) => stateOf(key) === "works" && m(Menu, {
      label: t("action.more"), icon: "three-dots", hidden: true, class: "row-menu",
      items: [{ label: t("appPage.key.rotate"), icon: "arrow-repeat", onclick: () => rotate(key) }, { label: t("appPage.key.revoke"), icon: "trash", look: "grave", onclick: () => revoke(key) }],
    }) },
  ];
  return {
    onremove: () => resource.end(),
    view: () => m("section.sheet.stack", { "aria-label": t("appPage.key.title") },
      m("div.row", m("div.grow", m("h2", t("appPage.key.title")), m("p.soft", t("appPage.key.text"))), m(Button, { icon: "plus-lg", onclick: () => { isCreating = true; } }, t("appPage.key.create"))),
      Loaded({ resource }, (records) => {
        const old = records.filter((key) => stateOf(key) !== "works");
        return [m(Table, { label: t("appPage.key.title"), columns, records: showsOld ? records : records.filter((key) => !old.includes(key)), empty: m("p.soft", t("appPage.key.none")) }),
          old.length > 0 && m(Switch, { label: t("appPage.key.showOld", { count: old.length }), checked: showsOld, onchange: (isOn) => { showsOld = isOn; } })];
      }),
      isCreating && m(NewKey, { onclose: () => { isCreating = false; }, oncreated: (key) => {
        isCreating = false;
        made = key;
        return resource.reload();
      } }),
      made && m(Dialog, { title: t("appPage.key.made", { name: made.name }), onclose: () => { made = null; }, actions: m(Button, { look: "strong", onclick: () => { made = null; } }, t("appPage.kept")) },
        m("p", t("appPage.key.madeText")), m(Copy, { label: made.name, text: made.key }),
        made.scopes.length > 0 && m("p.soft.meta", list(made.scopes)))),
  };
}
