// What people set for a device: its nickname, and whether test pushes may go there.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Switch, TextField } from "../ui/field.js";
import { toast, toastError } from "../ui/toast.js";

/** `change(body)` changes the `device`, and resolves when it is shown. Children follow below. */
export function OwnSettings() {
  let nickname = null;
  return {
    view: ({ attrs: { device, change }, children }) => {
      const shown = nickname ?? device.nickname ?? "";
      const isChanged = shown.trim() !== (device.nickname ?? "");
      const save = () =>
        change({ nickname: shown.trim() || null }).then(() => {
          nickname = null;
          toast(t("devices.saved"));
        }, toastError);
      return m(
        "section.sheet.stack",
        m("h2", t("devices.own")),
        m(
          "form.stack",
          {
            onsubmit: (event) => {
              event.preventDefault();
              if (isChanged) save();
            },
          },
          m(TextField, {
            label: t("devices.nickname"),
            help: t("devices.nicknameHelp"),
            optional: true,
            value: shown,
            maxlength: 100,
            oninput: (value) => {
              nickname = value;
            },
          }),
          isChanged &&
            m(
              "div.row",
              m(Button, { type: "button", onclick: save }, t("action.save")),
              m(Button, {
                variant: "plain",
                onclick: () => {
                  nickname = null;
                },
              }, t("action.cancel")),
            ),
        ),
        m(Switch, {
          label: t("devices.isTest"),
          help: t("devices.isTestHelp"),
          checked: device.is_test,
          onchange: (isOn) => change({ is_test: isOn }).catch(toastError),
        }),
        children,
      );
    },
  };
}
