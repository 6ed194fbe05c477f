import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";

let last = 0;

/**
 * Texts as chips, which can be removed, and a field that adds one. `values` are the texts; `nameOf(value)` is what is
 * shown. `add` and `remove` return promises; `addLabel` says what `add` does. With `options` ({value, label}) one of
 * these is added, otherwise what is typed. Without `add` it is only to read.
 */
export function ChipList() {
  const id = `chips-${++last}`;
  let text = "";
  let isAdding = false;
  async function send(work, value) {
    if (!value || isAdding) return;
    isAdding = true;
    try {
      if (await work(value) !== false) text = "";
    } finally {
      isAdding = false;
      m.redraw();
    }
  }
  return {
    view: ({ attrs: { label, addLabel, values, empty, nameOf = (value) => value, add, remove, options } }) =>
      m(
        "div.chip-list",
        values.length
          ? m(
            "ul.chips",
            { "aria-label": label },
            values.map((value) =>
              m(
                "li.chip.still",
                { key: value },
                nameOf(value),
                add &&
                  m("button.close", {
                    type: "button",
                    "aria-label": t("person.removeOne", { name: nameOf(value) }),
                    onclick: () => remove(value),
                  }, m(Icon, { name: "x-lg" })),
              )
            ),
          )
          : m("p.soft", empty),
        add && (options
          ? options.length > 0 && m(
            "select",
            {
              "aria-label": addLabel,
              onchange: (event) => {
                const { value } = event.target;
                event.target.value = "";
                send(add, value);
              },
            },
            m("option", { value: "" }, addLabel),
            options.map(({ value, label: each }) => m("option", { key: value, value }, each)),
          )
          : m(
            "form.chip-add",
            {
              onsubmit: (event) => {
                event.preventDefault();
                send(add, text.trim());
              },
            },
            m("label.visually-hidden", { for: id }, addLabel),
            m("input", {
              id,
              value: text,
              maxlength: 100,
              spellcheck: false,
              autocomplete: "off",
              placeholder: addLabel,
              oninput: (event) => {
                text = event.target.value;
              },
            }),
            m(Button, {
              type: "submit",
              icon: "plus-lg",
              busy: isAdding,
              reason: text.trim() ? undefined : t("person.typeFirst"),
            }, t("action.add")),
          )),
      ),
  };
}
