// The app's own keys beside `aps`: name and value, a row each.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { ownKeys, parseValue, writeValue } from "./payload.js";

export const CustomKeys = {
  view: ({ attrs: { payload, readonly, change, problemsAt } }) => {
    const rows = ownKeys(payload);
    const set = (index, name, value) => change({ ...payload.aps && { aps: payload.aps }, ...Object.fromEntries(rows.map((row, at) => (at === index ? [name, value] : row))) });
    return m("fieldset.stack.custom-keys", m("legend.field-label", t("content.ownKeys")), m("p.field-help.soft", t("content.ownKeysHelp")),
      rows.map(([name, value], index) => {
        const problem = problemsAt(name)[0];
        return m("div", { key: index }, m("div.row.nowrap",
          m("input.key-name", { "aria-label": t("content.keyName"), value: name, readonly, spellcheck: false, onchange: (event) => event.target.value && set(index, event.target.value, value) }),
          m("input", { "aria-label": t("content.keyValue", { name }), value: writeValue(value), readonly, spellcheck: false, oninput: (event) => set(index, name, parseValue(event.target.value)) }),
          !readonly && m(Button, { look: "plain", icon: "trash", title: t("content.removeKey", { name }), "aria-label": t("content.removeKey", { name }), onclick: () => change({ ...payload.aps && { aps: payload.aps }, ...Object.fromEntries(rows.filter((_, at) => at !== index)) }) })),
        problem && m("p.field-help", { class: problem.severity === "error" ? "grave" : "warn" }, problem.message));
      }),
      !readonly && m("div", m(Button, { class: "small", icon: "plus-lg", onclick: () => change({ ...payload, [freeName(payload)]: "" }) }, t("content.addKey"))));
  },
};

function freeName(payload) {
  let count = 1;
  while (`key${count}` in payload) count += 1;
  return `key${count}`;
}
