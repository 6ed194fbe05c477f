// Apple's keys of an app: list, add by dropping the file, delete.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { enumeration, labelled } from "../phrases.js";
import { all, api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";
import { KeyForm } from "./key-form.js";

export function Credentials() {
  const resource = load(() => all(inApp("/credentials")));
  let isAdding = false;
  let check = null;
  async function remove(credential) {
    const isLast = resource.data.length === 1;
    if (
      !await ask({
        title: t("appPage.credential.deleteTitle", { key: credential.key_id }),
        text: t(isLast ? "appPage.credential.deleteLast" : "appPage.credential.deleteText"),
        confirm: t("action.delete"),
      })
    ) return;
    await api.delete(inApp(`/credentials/${credential.id}`)).then(() => {
      toast(t("setup.deleted"));
      return resource.reload();
    }, toastError);
  }
  return {
    onremove: () => resource.end(),
    view: ({ attrs: { app, readonly } }) =>
      m(
        "section.sheet.stack",
        { id: "settings-credentials", "aria-label": t("appPage.credential.title") },
        m(
          "div.row",
          m("div.grow", m("h2", t("appPage.credential.title")), m("p.soft", t("appPage.credential.text"))),
          !readonly && m(Button, {
            icon: "plus-lg",
            onclick: () => {
              isAdding = true;
            },
          }, t("appPage.credential.add")),
        ),
        check &&
          m(
            Banner,
            { variant: check.state === "accepted" ? "good" : "warn", role: "status" },
            t(`setup.check.${check.state}`, { bundle: app.bundle_id }),
          ),
        Loaded({ resource }, (records) =>
          m(Table, {
            label: t("appPage.credential.title"),
            records,
            empty: m("p.soft", t("appPage.credential.none")),
            columns: [
              { id: "key", label: t("setup.keyID"), wide: true, cell: ({ key_id: key }) => m("code", key) },
              { id: "team", label: t("setup.teamID"), cell: ({ team_id: team }) => m("code", team) },
              {
                id: "for",
                label: t("setup.environments"),
                cell: ({ environments }) => enumeration(environments.map((each) => t(`appPage.environment.${each}`))),
              },
              { id: "since", label: t("appPage.since"), cell: ({ created_at: at }) => m("span.nowrap", moment(at)) },
              !readonly && {
                id: "delete",
                label: "",
                cell: (credential) =>
                  m(Button, {
                    variant: "plain",
                    class: "small",
                    icon: "trash",
                    "aria-label": labelled(t("action.delete"), credential.key_id),
                    onclick: () => remove(credential),
                  }, t("action.delete")),
              },
            ].filter(Boolean),
          })),
        isAdding && m(
          Dialog,
          {
            title: t("appPage.credential.add"),
            wide: true,
            onclose: () => {
              isAdding = false;
            },
          },
          m(KeyForm, {
            submit: t("wizard.key.check"),
            onadded: (result) => {
              check = result;
              isAdding = false;
              return resource.reload();
            },
            extra: m(Button, {
              onclick: () => {
                isAdding = false;
              },
            }, t("action.cancel")),
          }),
        ),
      ),
  };
}
