// Signs in with e-mail address and password, creates the first admin, or takes a new password.

import m from "../m.js";
import { chooseLanguage, language, languages, t } from "../i18n.js";
import { api } from "../api.js";
import { signInState } from "../sign-in-state.js";
import { navigate } from "../router.js";
import { session } from "../session.js";
import { missingIn, waitOf, wordsOf } from "../setup/entry.js";
import { sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { Icon } from "../ui/icon.js";

const forms = {
  "sign-in": {
    title: "signIn.title",
    submit: "signIn.submit",
    password: "signIn.password",
    autocomplete: "current-password",
    asks: ["email"],
    send: (values) => api.post("/v1/session", values),
  },
  "set-up": {
    title: "signIn.welcome",
    text: "signIn.welcomeText",
    submit: "signIn.createAdmin",
    password: "signIn.password",
    autocomplete: "new-password",
    hint: "signIn.hint",
    asks: ["name", "email"],
    send: (values) => api.post("/v1/set-up", values),
  },
  password: {
    title: "signIn.choose",
    text: "signIn.chooseText",
    submit: "signIn.saveAndEnter",
    password: "signIn.newPassword",
    autocomplete: "new-password",
    hint: "signIn.hint",
    asks: [],
    send: (values) => api.post("/v1/password", values),
  },
};

export default function SignInPage() {
  const form = forms[signInState.purpose];
  const isSignIn = signInState.purpose === "sign-in";
  const values = { name: "", email: "", password: "" };
  let error = null, missing = {}, isShown = false, isBusy = false, isNew = false, timer;
  /** The time until which the server takes no further try. */
  let closedUntil = 0;
  const secondsLeft = () => Math.max(0, Math.ceil((closedUntil - Date.now()) / 1000));

  // A server that nobody can sign in to yet says where to begin. Without an answer only the form is shown.
  if (isSignIn) {
    api.get("/v1/set-up").then(({ is_needed: isNeeded }) => {
      isNew = isNeeded;
      m.redraw();
    }, () => {});
  }

  /** Counts down; afterwards the message has done its work. */
  function wait(seconds) {
    closedUntil = Date.now() + seconds * 1000;
    clearInterval(timer);
    timer = setInterval(() => {
      if (!secondsLeft()) {
        clearInterval(timer);
        error = null;
      }
      m.redraw();
    }, 1_000);
  }
  async function enter(event) {
    event.preventDefault();
    if (isBusy || secondsLeft()) return;
    missing = missingIn(values, form.asks, Boolean(form.hint));
    if (Object.keys(missing).length) {
      return requestAnimationFrame(() => document.querySelector("main.gate [aria-invalid=true]")?.focus());
    }
    isBusy = true;
    error = null;
    const sent = { password: values.password };
    for (const name of form.asks) sent[name] = values[name].trim();
    if (signInState.token) sent.link = signInState.token;
    try {
      await form.send(sent);
      await session.load();
      const { from } = signInState;
      Object.assign(signInState, { purpose: "sign-in", token: null, message: null, from: null });
      navigate(from && from !== "/sign-in" ? from : "/", { replace: true });
    } catch (failure) {
      error = failure;
      if (waitOf(failure)) wait(waitOf(failure));
      document.getElementById("sign-in-password")?.querySelector("input")?.select();
    }
    isBusy = false;
    m.redraw();
  }
  const problem = (
    path,
  ) => (missing[path] ? t(missing[path]) : sentence(error?.problems?.find((each) => each.path === path)));
  /** A field's problem goes as soon as the field changes. */
  const set = (name) => (value) => {
    values[name] = value;
    if (missing[name] && !missingIn(values, form.asks, Boolean(form.hint))[name]) delete missing[name];
    if (error?.problems) error.problems = error.problems.filter(({ path }) => path !== name);
  };
  const showButton = () =>
    m(
      "button.reveal",
      {
        type: "button",
        "aria-pressed": isShown ? "true" : "false",
        onclick: () => {
          isShown = !isShown;
        },
      },
      m(Icon, { name: "eye" }),
      t(isShown ? "signIn.hide" : "signIn.show"),
    );

  return {
    oncreate: () => document.querySelector("main.gate input")?.focus(),
    onremove: () => clearInterval(timer),
    view: () => [
      m("p.gate-brand", m("img", { src: "/bell.svg", alt: "", width: 56, height: 56 }), m("span", "Belfry")),
      m("h1", t(form.title)),
      form.text && m("p.soft", t(form.text)),
      m(
        "form.stack",
        { onsubmit: enter, novalidate: true },
        signInState.message && m(Banner, { variant: "warn", role: "status" }, signInState.message),
        isNew && m(Banner, { role: "status" }, m("p", m("b", t("signIn.nobody"))), m("p", t("signIn.nobodyText"))),
        form.asks.includes("name") && m(TextField, {
          label: t("signIn.name"),
          value: values.name,
          maxlength: 100,
          autocomplete: "name",
          "aria-required": "true",
          error: problem("name"),
          oninput: set("name"),
        }),
        form.asks.includes("email") && m(TextField, {
          label: t("signIn.email"),
          value: values.email,
          type: "email",
          maxlength: 254,
          autocomplete: "username",
          "aria-required": "true",
          spellcheck: false,
          error: problem("email"),
          oninput: set("email"),
        }),
        m(
          "div#sign-in-password",
          m(TextField, {
            label: t(form.password),
            value: values.password,
            type: isShown ? "text" : "password",
            maxlength: 200,
            "aria-required": "true",
            autocomplete: form.autocomplete,
            help: form.hint && t(form.hint),
            error: problem("password"),
            spellcheck: false,
            autocapitalize: "off",
            extra: showButton(),
            oninput: set("password"),
          }),
        ),
        error && !error.problems?.length &&
          m(Banner, { variant: "danger", role: "alert" }, wordsOf(error, secondsLeft())),
        m(
          "div",
          m(Button, {
            variant: "strong",
            type: "submit",
            class: "gate-submit",
            busy: isBusy,
            reason: secondsLeft() ? t("signIn.later", { count: secondsLeft() }) : undefined,
          }, t(form.submit)),
        ),
        isSignIn && !isNew && m("p.soft.meta", t("signIn.forgot")),
      ),
      m(
        "div.chips.gate-languages",
        { role: "group", "aria-label": t("shell.language") },
        Object.entries(languages).map(([code, name]) =>
          m("button.chip", {
            key: code,
            type: "button",
            lang: code,
            "aria-pressed": code === language ? "true" : "false",
            onclick: () => chooseLanguage(code).then(() => m.redraw()),
          }, name)
        ),
      ),
    ],
  };
}
