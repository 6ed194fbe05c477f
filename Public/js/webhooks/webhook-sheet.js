// A webhook: its state, what it wants, and what it was told.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Menu } from "../ui/menu.js";
import { toast, toastError } from "../ui/toast.js";
import { Deliveries } from "./deliveries.js";
import { nameOf } from "./kinds.js";
import { WebhookForm } from "./webhook-form.js";

const stateOf = ({ enabled, failing_since: failing }) => (enabled ? (failing ? "failing" : "enabled") : "disabled");
const variants = { enabled: "good", failing: "warn", disabled: "" };

/** `onsecret(webhook)` shows a new secret, `onchange()` loads the list again. */
export function WebhookSheet({ attrs: { webhook: { id } } }) {
  const path = inApp(`/webhooks/${id}`);
  let isEditing = false, isTesting = false, tests = 0;

  async function test() {
    isTesting = true;
    await api.post(`${path}/test`).then(() => {
      tests += 1;
      toast(t("webhooks.testSent"));
    }, toastError);
    isTesting = false;
    m.redraw();
  }
  async function rotate({ onsecret }) {
    const title = t("webhooks.rotateTitle");
    if (!await ask({ title, text: t("webhooks.rotateText"), confirm: t("webhooks.rotate"), variant: "strong" })) return;
    await api.post(`${path}/rotate`, undefined, { idempotencyKey: newIdempotencyKey() }).then(onsecret, toastError);
  }
  async function enable({ webhook, onchange }, enabled) {
    await api.patch(path, { enabled }, { ifMatch: webhook.version }).then(onchange, toastError);
  }
  async function remove({ webhook, onchange }) {
    const title = t("webhooks.deleteTitle", { url: webhook.url });
    if (!await ask({ title, text: t("webhooks.deleteText"), confirm: t("webhooks.delete") })) return;
    await api.delete(path).then(() => {
      toast(t("setup.deleted"));
      return onchange();
    }, toastError);
  }
  const edit = () => {
    isEditing = true;
  };
  const items = (attrs) => [
    { label: t("action.edit"), icon: "pencil", onclick: edit },
    { label: t("webhooks.rotate"), icon: "arrow-repeat", onclick: () => rotate(attrs) },
    attrs.webhook.enabled
      ? { label: t("webhooks.disable"), icon: "pause", onclick: () => enable(attrs, false) }
      : { label: t("webhooks.enable"), icon: "play", onclick: () => enable(attrs, true) },
    { label: t("webhooks.delete"), icon: "trash", variant: "danger", onclick: () => remove(attrs) },
  ];
  const banner = ({ webhook }) => {
    if (webhook.disabled_reason) {
      return m(Banner, { variant: "danger" }, t(`webhooks.reason.${webhook.disabled_reason}`));
    }
    if (webhook.enabled && webhook.failing_since) {
      return m(Banner, { variant: "warn" }, t("webhooks.failingText", { time: moment(webhook.failing_since) }));
    }
    return null;
  };
  return {
    view: ({ attrs }) => {
      const { webhook, readonly, onchange } = attrs;
      const state = stateOf(webhook);
      return m(
        "section.sheet.stack",
        { "aria-label": webhook.url },
        m(
          "div.row.key-head",
          m(
            "div.grow",
            m("h2.anywhere", webhook.description || webhook.url),
            webhook.description && m("code.anywhere.soft", webhook.url),
          ),
          m(Badge, { variant: variants[state] }, t(`webhooks.state.${state}`)),
          !readonly && webhook.enabled &&
            m(Button, { class: "small", icon: "send", disabled: isTesting, onclick: test }, t("webhooks.test")),
          !readonly && m(Menu, {
            label: t("action.more"),
            icon: "three-dots",
            hidden: true,
            class: "row-menu",
            items: items(attrs),
          }),
        ),
        banner(attrs),
        m("p.soft", enumeration(webhook.kinds.map(nameOf))),
        webhook.rotation_ends_at &&
          m("p.soft.meta", t("webhooks.secretUntil", { time: moment(webhook.rotation_ends_at) })),
        m(Deliveries, { path, tests, waiting: webhook.waiting, readonly, canResend: webhook.enabled }),
        isEditing && m(WebhookForm, {
          webhook,
          onclose: () => {
            isEditing = false;
          },
          onsaved: () => {
            isEditing = false;
            return onchange();
          },
        }),
      );
    },
  };
}
