// The payload as JSON: the same state as the form. Invalid JSON keeps the last good payload, and its line is marked.

import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { same } from "../json/difference.js";
import { isObject } from "../json/paths.js";
import { errorLine } from "./payload.js";

export default function JSONView() {
  // The text while it differs from what the payload would be written as.
  let typed = null, error = null, line = null;

  function input(source, onchange) {
    typed = source;
    try {
      const value = JSON.parse(source);
      if (!isObject(value)) throw new Error(t("content.notAnObject"));
      [error, line] = [null, null];
      onchange(value);
    } catch (failure) {
      error = failure.message;
      line = errorLine(failure.message, source);
    }
  }
  const reset = () => {
    [typed, error, line] = [null, null, null];
  };
  return {
    view: ({ attrs: { value, readonly, onchange } }) => {
      if (typed !== null && !error && !same(JSON.parse(typed), value)) typed = null;
      const source = typed ?? JSON.stringify(value, null, 2);
      const count = source.split("\n").length;
      return m(
        "div.stack",
        m(
          "div.json",
          { class: error ? "invalid" : "" },
          m(
            "div.json-lines",
            { "aria-hidden": "true" },
            Array.from(
              { length: count },
              (_, index) => m("i", { class: index + 1 === line ? "wrong" : "" }, index + 1),
            ),
          ),
          m("textarea", {
            "aria-label": t("content.jsonLabel"),
            "aria-invalid": error ? "true" : undefined,
            readonly,
            spellcheck: false,
            wrap: "off",
            rows: count + 1,
            value: source,
            oninput: (event) => input(event.target.value, onchange),
            onblur: (event) => {
              event.redraw = false;
              if (!error) typed = null;
            },
          }),
        ),
        error &&
          m(
            "div.row",
            { style: { "--gap": "4px" } },
            m(
              "p.field-help.danger.grow",
              { role: "alert" },
              line ? t("content.brokenLine", { line, error }) : t("content.broken", { error }),
            ),
            m(Button, { class: "small", onclick: reset }, t("content.resetJSON")),
          ),
      );
    },
  };
}
