// Registers a file that is on another server.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { inApp } from "../session.js";
import { noProblems, problemsOf } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";

/** Milliseconds: the server looks at the file before it answers. */
const timeoutMs = 60_000;
const known = ["external_url", "name"];

export function LinkDialog() {
  let url = "", name = "", problems = noProblems;
  async function save(onsaved) {
    problems = noProblems;
    try {
      onsaved(
        await api.post(inApp("/media"), { external_url: url.trim(), name: name.trim() || undefined }, { timeoutMs }),
      );
    } catch (error) {
      problems = problemsOf(error);
    }
    m.redraw();
  }
  return {
    view: ({ attrs: { onsaved, onclose } }) =>
      m(
        Dialog,
        {
          title: t("mediaPage.link"),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              onclick: () => save(onsaved),
              reason: url.trim() ? undefined : t("mediaPage.linkMissing"),
            }, t("mediaPage.linkSave")),
            m(Button, { onclick: onclose }, t("action.cancel")),
          ],
        },
        m("p.soft", t("mediaPage.linkText")),
        problems.rest(known).map((each) =>
          m(Banner, { variant: "danger", role: "alert", key: each.code }, each.message)
        ),
        m(TextField, {
          label: t("mediaPage.address"),
          type: "url",
          maxlength: 2000,
          spellcheck: false,
          placeholder: t("field.example", { text: "https://example.com/picture.jpg" }),
          value: url,
          error: problems.at("external_url"),
          oninput: (value) => {
            url = value;
          },
        }),
        m(TextField, {
          label: t("mediaPage.name"),
          optional: true,
          maxlength: 200,
          help: t("mediaPage.linkNameHelp"),
          value: name,
          error: problems.at("name"),
          oninput: (value) => {
            name = value;
          },
        }),
      ),
  };
}
