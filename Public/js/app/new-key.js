// Asks for what a new API key may do.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { inApp, session } from "../session.js";
import { noProblems, problemsOf, sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Check, Choices, TextField } from "../ui/field.js";

const scopes = ["apps:read", "apps:write", "apps:delete", "devices:read", "devices:write", "devices:export", "devices:tokens", "campaigns:read", "campaigns:write", "campaigns:send",
  "content:read", "content:write", "test-pushes:send", "pushes:send", "keys", "audit:read"];
const fields = ["name", "scopes", "expires_at", "kind"];

export function NewKey() {
  const values = { name: "", kind: "secret", scopes: ["devices:write", "pushes:send"], end: "" };
  const idempotencyKey = newIdempotencyKey();
  let problems = noProblems;
  async function create(oncreated) {
    const local = [!values.name.trim() && { path: "name", code: "name-missing", message: "" }, values.kind === "secret" && !values.scopes.length && { path: "scopes", code: "environment-missing", message: "" }].filter(Boolean);
    problems = problemsOf({ problems: local, message: "" });
    if (local.length) return;
    problems = noProblems;
    const body = { name: values.name.trim(), kind: values.kind, ...(values.kind === "secret" && { scopes: values.scopes }), ...(values.end && { expires_at: new Date(`${values.end}T23:59:59`).toISOString() }) };
    try {
      await oncreated(await api.post(inApp("/keys"), body, { idempotencyKey }));
    } catch (error) {
      problems = problemsOf(error);
      m.redraw();
    }
  }
  return {
    view: ({ attrs: { onclose, oncreated } }) => m(Dialog, {
      title: t("appPage.key.create"), onclose,
      actions: [m(Button, { look: "strong", onclick: () => create(oncreated) }, t("appPage.key.create")), m(Button, { onclick: onclose }, t("action.cancel"))],
    },
    problems.entries.filter(({ path }) => !fields.includes(path.split("[")[0])).map((each) => m(Banner, { look: "grave", role: "alert" }, sentence(each))),
    m(TextField, { label: t("appPage.key.name"), help: t("appPage.key.nameHelp"), value: values.name, maxlength: 100, autofocus: true, error: problems.at("name"), oninput: (value) => { values.name = value; } }),
    m(Choices, { label: t("appPage.key.kind"), value: values.kind, onchange: (kind) => { values.kind = kind; }, options: ["secret", "publishable"].map((value) => ({ value, label: t(`appPage.key.kinds.${value}`), help: t(`appPage.key.kindHelp.${value}`) })) }),
    values.kind === "secret" && m("fieldset.scopes", m("legend.field-label", t("appPage.key.may")), scopes.filter((scope) => session.may(scope)).map((scope) => m(Check, {
      key: scope, checked: values.scopes.includes(scope), label: [t(`appPage.scope.${scope.replace(":", "_")}`), " ", m("code.soft", scope)],
      onchange: (isOn) => { values.scopes = scopes.filter((each) => (each === scope ? isOn : values.scopes.includes(each))); },
    })), ),
    problems.at("scopes") && m("p.field-help.grave", { role: "alert" }, problems.at("scopes")),
    m(TextField, { type: "date", label: t("appPage.key.end"), optional: true, help: t("appPage.key.endHelp"), value: values.end, error: problems.at("expires_at"), oninput: (value) => { values.end = value; } })),
  };
}
