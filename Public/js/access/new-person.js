// Adds a person who can sign in. Belfry sends nothing: the answer has the address to pass on.

import m from "../m.js";
import { t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { session } from "../session.js";
import { noProblems, problemsOf, sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";
import { RoleFields } from "./role-fields.js";

const known = /^(email|name|roles(\[0\])?(\.(role|app_id))?)$/;
const isAddress = (text) => /^[^\s@]+@[^\s@]+$/.test(text);

export function NewPerson() {
  const values = { email: "", name: "", role: { role: "marketer", app_id: session.app } };
  const idempotencyKey = newIdempotencyKey();
  let problems = noProblems, isMissing = false;

  async function add(onadded) {
    isMissing = !isAddress(values.email.trim());
    if (isMissing) return;
    problems = noProblems;
    try {
      await onadded(
        await api.post("/v1/users", { email: values.email.trim(), name: values.name.trim(), roles: [values.role] }, {
          idempotencyKey,
        }),
      );
    } catch (error) {
      problems = problemsOf(error);
      m.redraw();
    }
  }
  return {
    view: ({ attrs: { onclose, onadded } }) =>
      m(
        Dialog,
        {
          title: t("access.add"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              onclick: () => add(onadded),
            }, t("access.addNow")),
            m(Button, { onclick: onclose }, t("action.cancel")),
          ],
        },
        problems.rest([known]).map((each) => m(Banner, { variant: "danger", role: "alert" }, sentence(each))),
        m(TextField, {
          label: t("access.email"),
          type: "email",
          value: values.email,
          maxlength: 254,
          spellcheck: false,
          autocomplete: "off",
          autofocus: true,
          error: isMissing ? t("signIn.noEmail") : problems.at("email"),
          help: t("access.emailHelp"),
          oninput: (value) => {
            values.email = value;
            if (isAddress(value.trim())) isMissing = false;
          },
        }),
        m(TextField, {
          label: t("access.name"),
          optional: true,
          value: values.name,
          maxlength: 100,
          autocomplete: "off",
          error: problems.at("name"),
          oninput: (value) => {
            values.name = value;
          },
        }),
        m(RoleFields, {
          value: values.role,
          onchange: (role) => {
            values.role = role;
          },
          error: (path) => problems.at(`roles[0].${path}`) ?? (path === "role" ? problems.at("roles") : undefined),
        }),
      ),
  };
}
