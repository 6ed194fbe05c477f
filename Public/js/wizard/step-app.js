// Step 1: the app's name and bundle id.

import m from "../m.js";
import { t, zone } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { LocaleField, ZoneField } from "../app/fields.js";
import { noProblems, problemsOf } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { sentence } from "../setup/problems.js";

const fields = ["name", "bundle_id", "default_locale", "default_time_zone"];

export function AppStep() {
  const old = session.thisApp;
  const values = Object.fromEntries(fields.map((field) => [field, old?.[field] ?? ""]));
  values.default_locale ||= navigator.language.split("-")[0];
  values.default_time_zone ||= zone;
  const idempotencyKey = newIdempotencyKey();
  let problems = noProblems;

  /** Problems that can be seen without asking the server. */
  function missing() {
    return [
      !values.name.trim() && { path: "name", code: "name-missing", message: "" },
      !values.bundle_id.trim() && { path: "bundle_id", code: "bundle-missing", message: "" },
    ].filter(Boolean);
  }

  async function save() {
    problems = problemsOf({ problems: missing(), message: "" });
    if (missing().length) return;
    problems = noProblems;
    const body = { ...values, name: values.name.trim(), bundle_id: values.bundle_id.trim() };
    try {
      const app = old
        ? await api.patch(inApp(), body, { ifMatch: old.version })
        : await api.post("/v1/apps", body, { idempotencyKey });
      await session.loadApps();
      navigate(page("/setup/key", app.id));
    } catch (error) {
      problems = problemsOf(error);
      m.redraw();
    }
  }
  const field = (name) => ({
    value: values[name],
    error: problems.at(name),
    oninput: (value) => {
      values[name] = value;
      if (problems.at(name)) {
        problems = problemsOf({ problems: problems.entries.filter(({ path }) => path !== name), message: "" });
      }
    },
  });
  return {
    view: () =>
      m(
        "form.stack",
        {
          onsubmit: (event) => {
            event.preventDefault();
            return save();
          },
        },
        problems.rest(fields).map((each) => m(Banner, { variant: "danger", role: "alert" }, sentence(each))),
        m(TextField, {
          label: t("wizard.app.nameLabel"),
          help: t("wizard.app.nameHelp"),
          placeholder: t("field.example", { text: "Bell Tower" }),
          maxlength: 100,
          ...field("name"),
        }),
        m(TextField, {
          label: t("wizard.app.bundle"),
          help: t("wizard.app.bundleHelp"),
          placeholder: t("field.example", { text: "com.example.bells" }),
          maxlength: 155,
          spellcheck: false,
          autocapitalize: "off",
          ...field("bundle_id"),
        }),
        m(
          "div.columns",
          m(LocaleField, {
            label: t("wizard.app.locale"),
            help: t("wizard.app.localeHelp"),
            ...field("default_locale"),
          }),
          m(ZoneField, { label: t("wizard.app.zone"), help: t("wizard.app.zoneHelp"), ...field("default_time_zone") }),
        ),
        m("div.row", m(Button, { variant: "strong", onclick: save }, t(old ? "wizard.app.save" : "wizard.app.create"))),
      ),
  };
}
