// The form for a new campaign, with three fields. The payload is composed here.

import { byID, showMessage, showPush } from "./dom.js";

const fields = {
  name: "name", "payload.aps.alert": "body", "payload.aps.alert.title": "title", "payload.aps.alert.body": "body",
};

/** `onSave(campaign)` throws the server's error. */
export function prepareForm(app, onSave) {
  const form = byID("campaign-form");
  const preview = () => {
    const { title, body } = form.elements;
    showPush(byID("draft-push"), app().name, title.value || (body.value ? "" : "Title"), body.value || "Text of the notification");
  };
  form.addEventListener("input", (event) => {
    event.target.removeAttribute("aria-invalid");
    preview();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    button.disabled = true;
    try {
      await onSave(compose(form.elements));
      showMessage(byID("form-message"), null);
      form.reset();
    } catch (error) {
      showMessage(byID("form-message"), error.message);
      point(form, error.problems ?? []);
    } finally {
      button.disabled = false;
    }
  });
  return { show: () => { preview(); form.elements.name.focus(); } };
}

function compose({ name, title, body }) {
  const alert = { body: body.value };
  if (title.value) alert.title = title.value;
  return { name: name.value, payload: { aps: { alert, sound: "default" } } };
}

function point(form, problems) {
  const names = problems.map((problem) => fields[problem.path]).filter(Boolean);
  for (const name of names) form.elements[name].setAttribute("aria-invalid", "true");
  if (names.length > 0) form.elements[names[0]].focus();
}
