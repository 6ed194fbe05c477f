// Signs in with e-mail address and password, creates the first admin, or takes a new password.

import m from "../m.js";
import { t, language, languages, chooseLanguage } from "../i18n.js";
import { api } from "../api.js";
import { entrance } from "../entrance.js";
import { navigate } from "../router.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField, Switch } from "../ui/field.js";

const forms = {
  "sign-in": {
    title: "signIn.title", submit: "signIn.submit", password: "signIn.password", autocomplete: "current-password", asks: ["email"],
    send: (values) => api.post("/v1/session", values),
  },
  "set-up": {
    title: "signIn.welcome", text: "signIn.welcomeText", submit: "signIn.createAdmin", password: "signIn.password", autocomplete: "new-password",
    hint: "signIn.hint", asks: ["name", "email"], send: (values) => api.post("/v1/set-up", values),
  },
  password: {
    title: "signIn.choose", text: "signIn.chooseText", submit: "signIn.saveAndEnter", password: "signIn.newPassword", autocomplete: "new-password",
    hint: "signIn.hint", asks: [], send: (values) => api.post("/v1/password", values),
  },
};

export default function SignInPage() {
  const form = forms[entrance.purpose];
  const values = { name: "", email: "", password: "" };
  let error = null;
  let isShown = false;
  let isBusy = false;

  async function enter(event) {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    error = null;
    const sent = { password: values.password };
    for (const name of form.asks) sent[name] = values[name].trim();
    if (entrance.token) sent.link = entrance.token;
    try {
      await form.send(sent);
      await session.load();
      const { from } = entrance;
      Object.assign(entrance, { purpose: "sign-in", token: null, message: null, from: null });
      navigate(from && from !== "/sign-in" ? from : "/", { replace: true });
    } catch (failure) {
      error = failure;
      document.getElementById("entrance-password")?.querySelector("input")?.select();
    }
    isBusy = false;
    m.redraw();
  }
  const problem = (path) => error?.problems?.find((each) => each.path === path)?.message;

  return {
    view: () => [
      m("img.gate-bell", { src: "/bell.svg", alt: "", width: 72, height: 72 }),
      m("h1", t(form.title)),
      form.text && m("p.soft", t(form.text)),
      entrance.message && m(Banner, { look: "warn", role: "status" }, entrance.message),
      m("form.stack", { onsubmit: enter, novalidate: false },
        form.asks.includes("name") && m(TextField, {
          label: t("signIn.name"), value: values.name, maxlength: 100, autocomplete: "name", required: true, error: problem("name"),
          oninput: (value) => { values.name = value; },
        }),
        form.asks.includes("email") && m(TextField, {
          label: t("signIn.email"), value: values.email, type: "email", maxlength: 254, autocomplete: "username", required: true,
          spellcheck: false, error: problem("email"), oninput: (value) => { values.email = value; },
        }),
        m("div#entrance-password", m(TextField, {
          label: t(form.password), value: values.password, type: isShown ? "text" : "password", maxlength: 200, required: true,
          autocomplete: form.autocomplete, help: form.hint && t(form.hint), error: problem("password"),
          oninput: (value) => { values.password = value; },
        })),
        m(Switch, { label: t("signIn.show"), checked: isShown, onchange: (isOn) => { isShown = isOn; } }),
        error && !error.problems?.length && m(Banner, { look: "grave", role: "alert" }, error.message),
        m("div.row", m(Button, { look: "strong", type: "submit", busy: isBusy }, t(form.submit)))),
      m("div.chips.gate-languages", Object.entries(languages).map(([code, name]) => m("button.chip", {
        key: code, type: "button", lang: code, "aria-pressed": code === language ? "true" : "false",
        onclick: () => chooseLanguage(code).then(() => m.redraw()),
      }, name))),
    ],
  };
}
