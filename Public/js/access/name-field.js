// A name that is edited in place: the buttons appear with the first change.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";

/** `save(name)` resolves to whether it was stored. */
export function NameField() {
  let edited = null;
  return {
    view: ({ attrs: { name, save } }) => {
      const shown = edited ?? name;
      const store = async () => {
        if (await save(shown.trim())) edited = null;
        m.redraw();
      };
      return m(
        "form.stack",
        {
          onsubmit: (event) => {
            event.preventDefault();
            if (shown !== name) store();
          },
        },
        m(TextField, {
          label: t("access.name"),
          optional: true,
          value: shown,
          maxlength: 100,
          autocomplete: "off",
          oninput: (value) => {
            edited = value;
          },
        }),
        shown !== name &&
          m(
            "div.row",
            m(Button, { variant: "strong", onclick: store }, t("action.save")),
            m(Button, {
              variant: "plain",
              onclick: () => {
                edited = null;
              },
            }, t("action.cancel")),
          ),
      );
    },
  };
}
