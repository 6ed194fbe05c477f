// The app's own keys beside `aps`: name and value, a row each.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";
import { MendButton } from "./mend.js";
import { problemWords } from "../problems/problem-words.js";
import { ownKeys, parseValue, writeValue } from "./payload.js";

export function CustomKeys() {
  /** {index, name}: a name that is taken already, and was not accepted. */
  let refused = null;
  return {
    view: ({ attrs: { payload, readonly, change, problemsAt } }) => {
      const rows = ownKeys(payload);
      const write = (next) => change({ ...payload.aps && { aps: payload.aps }, ...Object.fromEntries(next) });
      const set = (index, name, value) => write(rows.map((row, at) => (at === index ? [name, value] : row)));
      const rename = (index, name) => {
        const isTaken = name === "aps" || rows.some(([other], at) => at !== index && other === name);
        refused = isTaken ? { index, name } : null;
        if (name && !isTaken) set(index, name, rows[index][1]);
      };
      const drop = (index) => {
        refused = null;
        write(rows.filter((_, at) => at !== index));
      };
      return m(
        "fieldset.stack.custom-keys",
        m("legend.field-label", t("content.ownKeys")),
        m("p.field-help.soft", t("content.ownKeysHelp")),
        rows.map(([name, value], index) => {
          const problem = refused?.index === index
            ? { severity: "error", message: t("content.keyTaken", { name: refused.name }) }
            : problemsAt(name)[0];
          return m(
            "div",
            { key: index },
            m(
              "div.row.nowrap",
              m(UncommittedInput, {
                class: "key-name",
                "aria-label": t("content.keyName"),
                value: name,
                readonly,
                spellcheck: false,
                "aria-invalid": refused?.index === index ? "true" : undefined,
                onchange: (event) => rename(index, event.target.value.trim()),
              }),
              m("input", {
                "aria-label": t("content.keyValue", { name }),
                value: writeValue(value),
                readonly,
                spellcheck: false,
                oninput: (event) => set(index, name, parseValue(event.target.value)),
              }),
              !readonly &&
                m(Button, {
                  variant: "plain",
                  icon: "trash",
                  title: t("content.removeKey", { name }),
                  "aria-label": t("content.removeKey", { name }),
                  onclick: () => drop(index),
                }),
            ),
            problem &&
              m("p.field-help", { class: problem.severity === "error" ? "danger" : "warn" }, problemWords(problem)),
            problem && !readonly && m(MendButton, { problems: [problem], payload, change }),
          );
        }),
        !readonly &&
          m(
            "div",
            m(Button, { class: "small", icon: "plus-lg", onclick: () => add(payload, change) }, t("content.addKey")),
          ),
      );
    },
  };
}

/** Adds a key with a name that is not taken, and lets it be typed over. */
function add(payload, change) {
  change({ ...payload, [freeName(payload)]: "" });
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const added = [...document.querySelectorAll(".custom-keys .key-name")].at(-1);
      added?.focus();
      added?.select();
    })
  );
}

function freeName(payload) {
  let count = 1;
  while (`key${count}` in payload) count += 1;
  return `key${count}`;
}
