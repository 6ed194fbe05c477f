// Takes Apple's .p8 key with its team, and adds it if Apple accepts it.

import m from "../m.js";
import { t } from "../i18n.js";
import { addKey } from "../setup/credential.js";
import { DropKey } from "../setup/drop-key.js";
import { cleanID } from "../setup/p8.js";
import { noProblems, problemsOf, sentence } from "../setup/problems.js";
import { KeyFindings } from "./key-findings.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Check, TextField } from "../ui/field.js";

const fields = ["p8", "key_id", "team_id", "environments"];

/** Calls `onadded(check)` after the key is stored. `extra` is drawn beside the button. */
export function KeyForm() {
  const values = { file: null, keyID: "", teamID: "", environments: ["production", "development"] };
  let problems = noProblems;
  let refused = null;
  const local = () =>
    [
      !values.file && { path: "p8", code: "key-file-missing", message: "" },
      values.keyID.length !== 10 && { path: "key_id", code: "key-id-missing", message: "" },
      values.teamID.length !== 10 && { path: "team_id", code: "team-id-missing", message: "" },
      !values.environments.length && { path: "environments", code: "environment-missing", message: "" },
    ].filter(Boolean);

  async function add(onadded, options) {
    refused = null;
    problems = problemsOf({ problems: local(), message: "" });
    if (local().length) return;
    problems = noProblems;
    try {
      const { credential, check } = await addKey({
        keyID: values.keyID,
        teamID: values.teamID,
        p8: values.file.text,
        environments: values.environments,
      }, options);
      if (credential) {
        values.file = null;
        return await onadded(check);
      }
      refused = check;
    } catch (error) {
      problems = problemsOf(error);
    }
    m.redraw();
  }
  const clear = (path) => {
    problems = problemsOf({ problems: problems.entries.filter((each) => each.path !== path), message: "" });
  };
  const toggle = (name) => (isOn) => {
    values.environments = ["production", "development"].filter((
      each,
    ) => (each === name ? isOn : values.environments.includes(each)));
    clear("environments");
  };
  return {
    view: ({ attrs: { submit, onadded, extra } }) =>
      m(
        "form.stack",
        {
          onsubmit: (event) => {
            event.preventDefault();
            return add(onadded);
          },
        },
        refused && m(KeyFindings, {
          check: refused,
          keyID: values.keyID,
          teamID: values.teamID,
          onforce: () => add(onadded, { isUnchecked: true }),
        }),
        problems.rest(fields).map((each) => m(Banner, { variant: "danger", role: "alert" }, sentence(each))),
        m(DropKey, {
          file: values.file,
          error: problems.at("p8"),
          onkey: (file) => {
            values.file = file;
            if (file.keyID) values.keyID = file.keyID;
            clear("p8");
            if (file.keyID) clear("key_id");
            refused = null;
          },
        }),
        m(
          "div.columns",
          m(TextField, {
            label: t("setup.keyID"),
            value: values.keyID,
            error: problems.at("key_id"),
            spellcheck: false,
            placeholder: t("field.example", { text: "ABC123DEFG" }),
            help: values.file?.keyID === values.keyID && values.keyID ? t("setup.keyIDRead") : t("setup.keyIDHelp"),
            class: "mono",
            autocapitalize: "characters",
            oninput: (value) => {
              values.keyID = cleanID(value);
              clear("key_id");
            },
          }),
          m(TextField, {
            label: t("setup.teamID"),
            value: values.teamID,
            error: problems.at("team_id"),
            spellcheck: false,
            placeholder: t("field.example", { text: "TEAM123456" }),
            help: t("setup.teamIDHelp"),
            class: "mono",
            autocapitalize: "characters",
            oninput: (value) => {
              values.teamID = cleanID(value);
              clear("team_id");
            },
          }),
        ),
        m(
          "fieldset.choices.inline",
          m("legend.field-label", t("setup.environments")),
          ["production", "development"].map((name) =>
            m(Check, {
              key: name,
              label: t(`setup.environment.${name}`),
              checked: values.environments.includes(name),
              onchange: toggle(name),
            })
          ),
        ),
        problems.at("environments") && m("p.field-help.danger", { role: "alert" }, problems.at("environments")),
        m("div.row", m(Button, { variant: "strong", onclick: () => add(onadded) }, submit), extra),
      ),
  };
}
