// Data for the app: its own keys, the window to open, and what the app does when the push arrives.

import m from "../m.js";
import { t } from "../i18n.js";
import { problemWords } from "../problems/problem-words.js";
import { TextField } from "../ui/field.js";
import { CustomKeys } from "./custom-keys.js";
import { setAps } from "./payload.js";

const texts = { "target-content-id": "content.targetHelp", "filter-criteria": "content.filterHelp" };

/** As LookFields. */
export default {
  view: ({ attrs: { payload, at, describeProblems, readonly, change } }) =>
    m(
      "div.stack",
      m(CustomKeys, { payload, readonly, problemsAt: at, change }),
      m(
        "div.columns",
        Object.entries(texts).map(([name, help]) =>
          m(TextField, {
            key: name,
            label: t(`content.aps.${name}`),
            value: payload.aps?.[name] ?? "",
            readonly,
            optional: true,
            help: t(help),
            ...describeProblems(at(`aps.${name}`)),
            oninput: (next) => change(setAps(payload, name, next)),
          })
        ),
      ),
      ["content-available", "mutable-content"].map((name) =>
        m(
          "label.check",
          { key: name },
          m("input", {
            type: "checkbox",
            disabled: readonly,
            checked: payload.aps?.[name] === 1,
            onchange: (event) => change(setAps(payload, name, event.target.checked ? 1 : undefined)),
          }),
          m(
            "span",
            t(`content.aps.${name}`),
            at(`aps.${name}`)[0] && m("span.field-help.warn", problemWords(at(`aps.${name}`)[0])),
          ),
        )
      ),
    ),
};
