// Asks for what a new API key may do.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { session } from "../session.js";
import { noProblems, problemsOf, sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Check, Choices, TextField } from "../ui/field.js";
import { scopesOf, scopeWords } from "./key-scopes.js";

const fields = ["name", "scopes", "expires_at", "kind", "allowed_addresses"];

/** `path` is the list's. A key for all apps is always a secret one. */
export function NewKey({ attrs: { path, allApps } }) {
  const scopes = scopesOf(allApps).filter((scope) => session.may(scope, allApps ? null : session.app));
  const values = {
    name: "",
    kind: "secret",
    scopes: ["devices:write", "pushes:send"].filter((each) => scopes.includes(each)),
    end: "",
    from: "",
  };
  const idempotencyKey = newIdempotencyKey();
  let problems = noProblems;

  function bodyOf() {
    const body = { name: values.name.trim(), kind: values.kind };
    if (values.end) body.expires_at = new Date(`${values.end}T23:59:59`).toISOString();
    if (values.kind !== "secret") return body;
    const from = values.from.split(/[\s,]+/).filter(Boolean);
    return { ...body, scopes: values.scopes, ...(from.length && { allowed_addresses: from }) };
  }
  async function create(oncreated) {
    const local = [
      !values.name.trim() && { path: "name", code: "name-missing", message: "" },
      values.kind === "secret" && !values.scopes.length && { path: "scopes", code: "scopes-missing", message: "" },
    ].filter(Boolean);
    problems = problemsOf({ problems: local, message: "" });
    if (local.length) return;
    problems = noProblems;
    try {
      await oncreated(await api.post(path, bodyOf(), { idempotencyKey }));
    } catch (error) {
      problems = problemsOf(error);
      m.redraw();
    }
  }
  /** A problem of one address names the list's element. */
  const fromProblem = () =>
    problems.at("allowed_addresses") ??
      sentence(problems.entries.find((each) => each.path.startsWith("allowed_addresses")));
  const kinds = allApps ? ["secret"] : ["secret", "publishable"];
  return {
    view: ({ attrs: { onclose, oncreated } }) =>
      m(
        Dialog,
        {
          title: t(allApps ? "apiKeys.createForAll" : "apiKeys.create"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              onclick: () => create(oncreated),
            }, t("apiKeys.create")),
            m(Button, { onclick: onclose }, t("action.cancel")),
          ],
        },
        problems.entries.filter((each) => !fields.includes(each.path.split("[")[0])).map((each) =>
          m(Banner, { variant: "danger", role: "alert" }, sentence(each))
        ),
        m(TextField, {
          label: t("apiKeys.name"),
          help: t("apiKeys.nameHelp"),
          value: values.name,
          maxlength: 100,
          autofocus: true,
          error: problems.at("name"),
          oninput: (value) => {
            values.name = value;
          },
        }),
        kinds.length > 1 && m(Choices, {
          label: t("apiKeys.kind"),
          value: values.kind,
          onchange: (kind) => {
            values.kind = kind;
          },
          options: kinds.map((value) => ({
            value,
            label: t(`apiKeys.kinds.${value}`),
            help: t(`apiKeys.kindHelp.${value}`),
          })),
        }),
        values.kind === "secret" &&
          m(
            "fieldset.scopes",
            m("legend.field-label", t("apiKeys.may")),
            scopes.map((scope) =>
              m(Check, {
                key: scope,
                checked: values.scopes.includes(scope),
                label: [scopeWords(scope), " ", m("code.soft", scope)],
                onchange: (isOn) => {
                  values.scopes = scopes.filter((each) => (each === scope ? isOn : values.scopes.includes(each)));
                },
              })
            ),
          ),
        problems.at("scopes") && m("p.field-help.danger", { role: "alert" }, problems.at("scopes")),
        values.kind === "secret" && m(TextField, {
          label: t("apiKeys.from"),
          optional: true,
          rows: 2,
          spellcheck: false,
          placeholder: t("field.example", { text: "10.0.0.0/8" }),
          class: "mono",
          help: t("apiKeys.fromHelp"),
          value: values.from,
          error: fromProblem(),
          oninput: (value) => {
            values.from = value;
          },
        }),
        m(TextField, {
          type: "date",
          label: t("apiKeys.end"),
          optional: true,
          help: t("apiKeys.endHelp"),
          value: values.end,
          error: problems.at("expires_at"),
          oninput: (value) => {
            values.end = value;
          },
        }),
      ),
  };
}
