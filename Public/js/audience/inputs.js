// The inputs of conditions, one for each type of value. All take {label, value, onchange, invalid}. Numbers and choices
// also take `aria`, the attributes that a `Field` hands out: its visible label then names them.

import m from "../m.js";
import { city, t, zone } from "../i18n.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";
import { moveKeys } from "./moving.js";

let last = 0;

/** A text with completion: `options` are texts or {value, label}. */
export function Completed() {
  const id = `known-${++last}`;
  return {
    view: ({ attrs: { label, value, options = [], onchange, invalid, placeholder } }) => [
      m("input", {
        "aria-label": label,
        value,
        list: id,
        spellcheck: false,
        autocomplete: "off",
        maxlength: 200,
        placeholder,
        "aria-invalid": invalid ? "true" : undefined,
        oninput: (event) => onchange(event.target.value),
      }),
      m("datalist", { id }, options.map((each) => m("option", { value: each.value ?? each }, each.label))),
    ],
  };
}

/** Several texts as chips, with completion. Enter or a comma adds one, Backspace in the empty field takes the last. */
export function Many() {
  const id = `known-${++last}`;
  let text = "";
  return {
    view: (
      { attrs: { label, value, options = [], onchange, invalid, show = String, read = (each) => each, placeholder } },
    ) => {
      const add = (parts) => {
        const next = parts.map((each) => each.trim()).filter(Boolean).map(read).filter((each) => each !== null);
        text = "";
        onchange([...new Set([...value, ...next])]);
      };
      return m(
        "div.many",
        { class: invalid ? "invalid" : "" },
        value.map((each) =>
          m(
            "span.chip",
            { key: `chip ${each}` },
            show(each),
            m("button.close", {
              type: "button",
              "aria-label": t("audience.removeValue", { value: show(each) }),
              onclick: () => onchange(value.filter((one) => one !== each)),
            }, "×"),
          )
        ),
        [
          m("input", {
            key: "input",
            "aria-label": label,
            value: text,
            list: id,
            spellcheck: false,
            autocomplete: "off",
            placeholder: value.length ? "" : placeholder,
            oninput: (event) => {
              text = event.target.value;
              // A pasted list, or a value that was chosen from the completion.
              if (/[,，\n;]/.test(text)) add(text.split(/[,，\n;]/));
              else if (
                event.inputType === "insertReplacementText" ||
                (!event.inputType && options.some((one) => String(one.value ?? one) === text))
              ) add([text]);
            },
            onkeydown: (event) => {
              if (moveKeys[event.key] && event.altKey) return;
              if (event.key === "Enter" && text.trim()) {
                event.preventDefault();
                add([text]);
                // Not with the next drawing: what is typed before it would follow the text.
                event.target.value = "";
              } else if (event.key === "Backspace" && !text && value.length) onchange(value.slice(0, -1));
            },
            onblur: (event) => {
              if (text.trim()) add([text]);
              else event.redraw = false;
            },
          }),
          m(
            "datalist",
            { key: "list", id },
            options.filter((each) => !value.includes(each.value ?? each)).map((each) =>
              m("option", { value: each.value ?? each }, each.label)
            ),
          ),
        ],
      );
    },
  };
}

/** A number, with its unit. `whole` takes whole numbers from `min` on only; `options` complete it. */
export function NumberInput() {
  const list = `known-${++last}`;
  return {
    view: ({ attrs: { label, value, onchange, invalid, unit, whole, min, max, readonly, options = [], aria } }) =>
      m(
        "span.with-unit",
        m(UncommittedInput, {
          type: "number",
          inputmode: whole ? "numeric" : "decimal",
          step: whole ? 1 : "any",
          min,
          max,
          "aria-label": aria ? undefined : label,
          value: value ?? "",
          readonly,
          list: options.length ? list : undefined,
          "aria-invalid": invalid ? "true" : undefined,
          ...aria,
          oninput: (event) => onchange(event.target.value === "" ? null : Number(event.target.value)),
        }),
        options.length > 0 &&
          m("datalist", { id: list }, options.map((each) => m("option", { value: each.value }, each.label))),
        unit && m("span.soft", unit),
      ),
  };
}

export const Pick = {
  view: ({ attrs: { label, value, options, onchange, invalid, aria, ...rest } }) => {
    const draw = (each) =>
      each.options
        ? m("optgroup", { label: each.label }, each.options.map(draw))
        : m("option", { value: each.value, selected: each.value === value }, each.label);
    delete rest.key;
    return m("select", {
      ...rest,
      "aria-label": aria ? undefined : label,
      "aria-invalid": invalid ? "true" : undefined,
      ...aria,
      onchange: (event) => onchange(event.target.value),
    }, options.map(draw));
  },
};

/** Several of a few fixed words, as chips that are pressed. */
export const Words = {
  view: ({ attrs: { label, value, options, onchange } }) =>
    m(
      "div.chips",
      { role: "group", "aria-label": label },
      options.map((each) => {
        const isOn = value.includes(each.value);
        return m("button.chip", {
          key: each.value,
          type: "button",
          "aria-pressed": isOn ? "true" : "false",
          onclick: () => onchange(isOn ? value.filter((one) => one !== each.value) : [...value, each.value]),
        }, each.label);
      }),
    ),
};

/** A moment, entered in the reader's time zone, which is named. The value is a time of the API. */
export const MomentInput = {
  view: ({ attrs: { label, value, onchange, invalid } }) =>
    m(
      "span.with-unit.moment",
      m(UncommittedInput, {
        type: "datetime-local",
        "aria-label": label,
        value: localText(value),
        "aria-invalid": invalid ? "true" : undefined,
        onchange: (event) => onchange(event.target.value ? new Date(event.target.value).toISOString() : ""),
      }),
      m("span.soft", { title: zone }, city()),
    ),
};

/** A time as an input of type datetime-local takes it, in the reader's zone, or "". */
export function localText(time) {
  const date = new Date(time);
  if (!time || Number.isNaN(date.getTime())) return "";
  const two = (part) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${
    two(date.getMinutes())
  }`;
}
