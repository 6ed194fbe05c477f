import m from "../m.js";
import { t } from "../i18n.js";
import { keys } from "../keys.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Switch } from "./field.js";

const rows = [
  ["/", "search"],
  ["j  k", "move"],
  ["Enter", "open"],
  ["c", "create"],
  ["?", "help"],
  ["Ctrl K", "palette"],
  ["Ctrl S", "save"],
  ["Ctrl Enter", "next"],
  ["Alt 1 … 4", "steps"],
  ["Alt N", "insert"],
  ["Alt E", "emoji"],
];

/** The list of keys, with a switch for single ones. */
export const KeyHelp = {
  view: ({ attrs: { onclose } }) =>
    m(
      Dialog,
      {
        title: t("keys.title"),
        onclose,
        actions: m(Button, { onclick: onclose, autofocus: true }, t("action.close")),
      },
      m(
        "dl.keys",
        rows.map(([key, name]) => m("div", { key: name }, m("dt", m("kbd", key)), m("dd", t(`keys.${name}`)))),
      ),
      m(Switch, {
        label: t("keys.switch"),
        checked: keys.areOn,
        onchange: (isOn) => {
          keys.areOn = isOn;
        },
      }),
    ),
};
