// Asks for the address of a receiver and the events that it wants: for a new webhook, or to change one.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp, session } from "../session.js";
import { noProblems, problemsOf, sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Check, TextField } from "../ui/field.js";
import { kindsOf, nameOf } from "./kinds.js";

const fields = ["url", "description", "kinds"];

/** Without `webhook`, makes one. `onsaved(webhook)` gets the answer of the API. */
export function WebhookForm({ attrs: { webhook } }) {
  const values = { url: webhook?.url ?? "", description: webhook?.description ?? "", kinds: webhook?.kinds ?? [] };
  const idempotencyKey = newIdempotencyKey();
  let problems = noProblems;

  async function save(onsaved) {
    const body = { ...values, url: values.url.trim(), description: values.description.trim() };
    try {
      await onsaved(
        webhook
          ? await api.patch(inApp(`/webhooks/${webhook.id}`), body, { ifMatch: webhook.version })
          : await api.post(inApp("/webhooks"), body, { idempotencyKey }),
      );
    } catch (error) {
      problems = problemsOf(error);
      m.redraw();
    }
  }
  const field = (name, more) => ({
    label: t(`webhooks.${name}`),
    value: values[name],
    error: problems.at(name),
    oninput: (value) => {
      values[name] = value;
    },
    ...more,
  });
  return {
    view: ({ attrs: { onclose, onsaved } }) =>
      m(
        Dialog,
        {
          title: t(webhook ? "webhooks.editTitle" : "webhooks.create"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              onclick: () => save(onsaved),
            }, t(webhook ? "action.save" : "webhooks.create")),
            m(Button, { onclick: onclose }, t("action.cancel")),
          ],
        },
        problems.rest(fields).map((each) => m(Banner, { variant: "danger", role: "alert" }, sentence(each))),
        m(
          TextField,
          field("url", {
            class: "mono",
            type: "url",
            maxlength: 2000,
            autofocus: true,
            spellcheck: false,
            placeholder: t("field.example", { text: "https://example.com/belfry" }),
            help: t("webhooks.urlHelp"),
          }),
        ),
        m(TextField, field("description", { optional: true, maxlength: 200 })),
        m(
          "fieldset.scopes",
          m("legend.field-label", t("webhooks.kinds")),
          kindsOf(session.may("devices:read")).map((kind) =>
            m(Check, {
              key: kind,
              checked: values.kinds.includes(kind),
              label: [nameOf(kind), " ", m("code.soft", kind)],
              onchange: (isOn) => {
                values.kinds = isOn ? [...values.kinds, kind] : values.kinds.filter((each) => each !== kind);
              },
            })
          ),
        ),
        problems.at("kinds") && m("p.field-help.danger", { role: "alert" }, problems.at("kinds")),
      ),
  };
}
