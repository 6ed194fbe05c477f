import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { UncommittedInput } from "./uncommitted-input.js";

let last = 0;

/**
 * A labelled control: label above, help below, and the error in place of the help. `control({id, ...aria})` draws it.
 * `remedy` is drawn below what is wrong. `optional` is said beside the label; without it a field is required.
 */
export function Field() {
  const id = `field-${++last}`;
  return {
    view: ({ attrs: { label, help, error, note, remedy, optional, hidden, control, class: more = "", extra } }) => {
      const helpText = error || help || note;
      const aria = {
        id,
        "aria-invalid": error ? "true" : undefined,
        "aria-describedby": helpText ? `${id}-help` : undefined,
      };
      return m(
        "div.field",
        { class: `${more} ${error ? "invalid" : ""}` },
        m(
          "div.field-head",
          m(
            "label.field-label",
            { for: id, class: hidden ? "visually-hidden" : "" },
            label,
            optional && m("span.soft", t("phrase.gap"), t("field.optional")),
          ),
          extra,
        ),
        control(aria),
        helpText &&
          m("p.field-help", {
            id: `${id}-help`,
            class: error ? "danger" : note ? "warn" : "soft",
            lang: langOf(error || note),
          }, error || note || help),
        remedy,
      );
    },
  };
}

/** The attributes that all controls below take beside their own. */
const fieldAttrs = ["label", "help", "error", "note", "remedy", "optional", "hidden", "extra", "class"];

function split(attrs) {
  const own = {}, rest = {};
  for (const [name, value] of Object.entries(attrs)) (fieldAttrs.includes(name) ? own : rest)[name] = value;
  delete rest.key;
  return [own, rest];
}

/** One line of text, or several with `rows`. `oninput(value)`. */
export const TextField = {
  view: ({ attrs }) => {
    const [own, { oninput, value, rows, ...rest }] = split(attrs);
    return m(Field, {
      ...own,
      control: (aria) =>
        m(rows ? "textarea" : "input", {
          ...rest,
          ...aria,
          rows,
          value: value ?? "",
          oninput: (event) => oninput(event.target.value),
        }),
    });
  },
};

/** A number, or null when it is empty. `unit` is shown behind it. */
export const NumberField = {
  view: ({ attrs }) => {
    const [own, { oninput, value, unit, ...rest }] = split(attrs);
    return m(Field, {
      ...own,
      control: (aria) =>
        m(
          "span.with-unit",
          m(UncommittedInput, {
            inputmode: "decimal",
            type: "number",
            ...rest,
            ...aria,
            value: value ?? "",
            oninput: (event) => oninput(event.target.value === "" ? null : Number(event.target.value)),
          }),
          unit && m("span.soft", unit),
        ),
    });
  },
};

/** One of several: `options` are {value, label}, or {label, options} for a group. */
export const SelectField = {
  view: ({ attrs }) => {
    const [own, { options, value, onchange, ...rest }] = split(attrs);
    const draw = (each) =>
      each.options
        ? m("optgroup", { label: each.label }, each.options.map(draw))
        : m("option", { value: each.value, selected: each.value === value }, each.label);
    return m(Field, {
      ...own,
      control: (aria) =>
        m("select", { ...rest, ...aria, onchange: (event) => onchange(event.target.value) }, options.map(draw)),
    });
  },
};

/** Turns something on or off immediately. */
export function Switch() {
  const id = `switch-${++last}`;
  return {
    view: ({ attrs: { label, help, checked, onchange, disabled } }) =>
      m(
        "div.switch",
        m("input", {
          type: "checkbox",
          role: "switch",
          id,
          checked,
          disabled,
          "aria-describedby": help ? `${id}-help` : undefined,
          onchange: (event) => onchange(event.target.checked),
        }),
        m("label", { for: id }, label),
        help && m("p.field-help.soft", { id: `${id}-help` }, help),
      ),
  };
}

/** A box to tick. */
export const Check = {
  view: ({ attrs: { label, checked, onchange, hidden, indeterminate, disabled } }) =>
    m(
      "label.check",
      m("input", {
        type: "checkbox",
        checked,
        indeterminate,
        disabled,
        onchange: (event) => onchange(event.target.checked),
      }),
      m("span", { class: hidden ? "visually-hidden" : "" }, label),
    ),
};

/** One of a few, all visible: `options` are {value, label, help}. `inline` puts them in one row. */
export function Choices() {
  const name = `choices-${++last}`;
  return {
    view: ({ attrs: { label, options, value, onchange, inline, hidden } }) =>
      m(
        "fieldset.choices",
        { class: inline ? "inline" : "" },
        m("legend.field-label", { class: hidden ? "visually-hidden" : "" }, label),
        options.map((each) =>
          m(
            "label.choice",
            { key: each.value },
            m("input", {
              type: "radio",
              name,
              value: each.value,
              checked: each.value === value,
              onchange: () => onchange(each.value),
            }),
            m("span", each.label, each.help && m("span.field-help.soft", each.help)),
          )
        ),
      ),
  };
}
