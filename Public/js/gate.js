// The form in front of everything else: sign in, create the first admin, choose a password.

import { byID, setText, showMessage } from "./dom.js";

const modes = {
  "sign-in": {
    title: "Sign in", text: "", submit: "Sign in", password: "Password", autocomplete: "current-password", hint: "",
    asks: ["email"],
  },
  "set-up": {
    title: "Welcome to Belfry", text: "Create the first admin, who can then add everybody else.",
    submit: "Create admin", password: "Password", autocomplete: "new-password",
    hint: "At least 10 characters. Several words are good.", asks: ["name", "email"],
  },
  password: {
    title: "Choose a password", text: "It replaces the old one, if you have one.", submit: "Save and sign in",
    password: "New password", autocomplete: "new-password", hint: "At least 10 characters. Several words are good.",
    asks: [],
  },
};

let mode;
let token;

/** `enter(mode, values)` sends the form and throws the server's error. */
export function prepareGate(enter) {
  const form = byID("gate-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, email, password } = form.elements;
    const values = { password: password.value };
    if (token) values.link = token;
    if (modes[mode].asks.includes("email")) values.email = email.value.trim();
    if (modes[mode].asks.includes("name")) values.name = name.value.trim();
    byID("gate-submit").disabled = true;
    try {
      await enter(mode, values);
      form.reset();
    } catch (error) {
      showMessage(byID("gate-message"), error.message);
      password.select();
      password.focus();
    } finally {
      byID("gate-submit").disabled = false;
    }
  });
}

export function showGate(newMode, { link = null, message = null } = {}) {
  mode = newMode;
  token = link;
  const { title, text, submit, password, autocomplete, hint, asks } = modes[mode];
  setText(byID("gate-title"), title);
  showMessage(byID("gate-text"), text);
  setText(byID("gate-submit"), submit);
  setText(byID("gate-password-label"), password);
  showMessage(byID("gate-hint"), hint);
  byID("gate-password").autocomplete = autocomplete;
  for (const each of ["name", "email"]) {
    byID(`gate-${each}-field`).hidden = !asks.includes(each);
    byID(`gate-${each}`).required = each === "email" && asks.includes(each);
  }
  showMessage(byID("gate-message"), message);
  byID("gate").hidden = false;
  byID(asks.length ? `gate-${asks[0]}` : "gate-password").focus();
}

export function hideGate() { byID("gate").hidden = true; }
