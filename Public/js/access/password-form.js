// Changes one's own password. The other sessions end with it.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { missingIn, waitOf, wordsOf } from "../setup/entry.js";
import { noProblems, problemsOf } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { toast } from "../ui/toast.js";

const fields = ["current_password", "password"];
const empty = () => ({ current_password: "", password: "" });

/** `onchanged()` is called when the server has taken it. */
export function PasswordForm() {
  let values = empty(), missing = {}, problems = noProblems, failure = null, isBusy = false;

  function validate() {
    missing = {};
    if (!values.current_password) missing.current_password = t("account.currentMissing");
    const { password } = missingIn({ password: values.password }, [], true);
    if (password) missing.password = t(password === "signIn.short" ? "signIn.short" : "account.newMissing");
    return !Object.keys(missing).length;
  }
  async function store(event, onchanged) {
    event.preventDefault();
    if (isBusy || !validate()) return m.redraw();
    isBusy = true;
    problems = noProblems;
    failure = null;
    try {
      await api.put("/v1/password", values);
      values = empty();
      toast(t("account.passwordChanged"));
      onchanged();
    } catch (error) {
      if (waitOf(error)) failure = wordsOf(error, waitOf(error));
      else problems = problemsOf(error);
    }
    isBusy = false;
    m.redraw();
  }
  const field = (name, more) =>
    m(TextField, {
      type: "password",
      label: t(`account.${name}`),
      value: values[name],
      maxlength: 200,
      error: missing[name] ?? problems.at(name),
      ...more,
      oninput: (value) => {
        values[name] = value;
        delete missing[name];
        problems = problemsOf({ problems: problems.entries.filter(({ path }) => path !== name), message: "" });
      },
    });
  return {
    view: ({ attrs: { email, onchanged }, children }) =>
      m(
        "form.stack",
        { novalidate: true, onsubmit: (event) => store(event, onchanged) },
        failure && m(Banner, { variant: "danger", role: "alert" }, failure),
        problems.rest(fields).filter(({ message }) => message).map((each) =>
          m(Banner, { variant: "danger", role: "alert" }, each.message)
        ),
        // Password managers need to know whose password it is.
        m("input", { type: "text", hidden: true, autocomplete: "username", value: email, readonly: true }),
        field("current_password", { autocomplete: "current-password" }),
        field("password", { autocomplete: "new-password", help: t("signIn.hint") }),
        m("div.row", m(Button, { type: "submit", variant: "strong", busy: isBusy }, t("account.changePassword"))),
        m("p.soft.meta", t("account.passwordHelp"), " ", children),
      ),
  };
}
