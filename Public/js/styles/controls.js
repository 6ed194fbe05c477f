// Shows buttons and fields in each of their states. Hover and focus are drawn by classes that the stylesheet knows.

import m from "../m.js";
import { Button } from "../ui/button.js";
import { Check, Choices, NumberField, SelectField, Switch, TextField } from "../ui/field.js";
import { FileDrop } from "../ui/file-drop.js";
import { Menu } from "../ui/menu.js";
import { Picker } from "../ui/picker.js";
import { Popover } from "../ui/popover.js";
import { Search } from "../ui/search.js";

const nothing = () => {};
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const buttonStates = [["Rest", {}], ["Hover", { class: "hover" }], ["Focus", { class: "focus" }], ["Busy", {
  busy: true,
}], ["Off, with a reason", { reason: "Add a title first." }]];
const cities = ["Berlin", "Munich", "Tokyo"].map((id) => ({ id }));
const variants = [["strong", "Schedule"], ["", "Send test"], ["plain", "Discard draft"], ["danger", "Delete"]];

/** A table of variants by states. Narrow, it scrolls in itself. */
export const Buttons = {
  view: () => [
    m(
      "div.state-scroll",
      { tabindex: 0, role: "region", "aria-label": "Buttons in their states" },
      m(
        "table.state-table",
        m(
          "thead",
          m(
            "tr",
            m("th", { scope: "col" }, "Look"),
            buttonStates.map(([name]) => m("th", { key: name, scope: "col" }, name)),
          ),
        ),
        m(
          "tbody",
          variants.map(([variant, label]) =>
            m(
              "tr",
              { key: variant },
              m("th", { scope: "row" }, variant || "edge"),
              buttonStates.map(([name, attrs]) =>
                m(
                  "td",
                  { key: name },
                  m(Button, { variant, icon: variant === "danger" ? "trash" : undefined, ...attrs }, label),
                )
              ),
            )
          ),
        ),
      ),
    ),
    m(
      "div.row",
      m(Button, { icon: "plus-lg" }, "With an icon"),
      m(Button, { class: "small" }, "Small"),
      m(Button, { class: "small", variant: "plain", icon: "plus-lg" }, "Small and plain"),
      m(Button, { onclick: () => wait(1500) }, "Busy for a moment"),
      m(Button, { href: "/styles" }, "A link"),
      m(Menu, {
        label: "A menu",
        items: [{ label: "Duplicate", icon: "files", onclick: nothing }, {
          label: "Archive",
          icon: "archive",
          onclick: nothing,
        }, { label: "Delete", icon: "trash", variant: "danger", onclick: nothing }],
      }),
    ),
    m(
      "p.soft.meta",
      "One strong button on a page; its label says the effect. A button that is off says why when it is pointed at " +
        "or has the focus.",
    ),
  ],
};

export function Fields() {
  const values = {
    text: "Moon Lovers",
    choice: "local",
    on: true,
    number: 30,
    sound: "bell",
    city: "Berlin",
    isOpen: false,
  };
  const set = (name) => (value) => {
    values[name] = value;
  };
  const options = [{ value: "default", label: "Default" }, {
    label: "Of the app",
    options: [{ value: "bell", label: "bell.caf" }],
  }];
  return {
    view: () => [
      m(
        "div.state-grid",
        m(TextField, { label: "Rest", value: values.text, help: "Help stands below.", oninput: set("text") }),
        m(TextField, {
          label: "Empty",
          value: "",
          placeholder: "Hi {{ first_name }}",
          optional: true,
          oninput: nothing,
        }),
        m(TextField, { label: "Focus", value: "Moon Lovers", class: "focus", oninput: nothing }),
        m(TextField, { label: "Invalid", value: "", error: "Give it a name.", oninput: nothing }),
        m(TextField, {
          label: "With a warning",
          value: "Hi {{ first_name }}",
          note: "488 devices have no first_name.",
          oninput: nothing,
        }),
        m(TextField, { label: "Read-only", value: "com.example.bells", readonly: true, oninput: nothing }),
        m(TextField, { label: "Disabled", value: "2026-11-23", disabled: true, oninput: nothing }),
        m(NumberField, { label: "Number with a unit", value: values.number, unit: "minutes", oninput: set("number") }),
        m(SelectField, { label: "Select", value: values.sound, options, onchange: set("sound") }),
        m(SelectField, { label: "Select, disabled", value: "bell", options, disabled: true, onchange: nothing }),
        m(TextField, { label: "Several lines", rows: 2, value: "Tonight at nine. Will you come?", oninput: nothing }),
        m("div.field", m("span.field-label", "Search"), m(Search, { label: "Search campaigns", onsearch: nothing })),
        m(
          "div.field",
          m("span.field-label", "Panel with a list to choose from"),
          m(
            Popover,
            {
              button: { icon: "people" },
              text: values.city,
              label: "Choose a city",
              isOpen: values.isOpen,
              onopen: () => set("isOpen")(true),
              onclose: () => set("isOpen")(false),
            },
            m(Picker, {
              label: "Search cities",
              find: (text) => cities.filter(({ id }) => id.toLowerCase().includes(text.toLowerCase())),
              option: ({ id }) => id,
              take: ({ id }) => {
                set("city")(id);
                set("isOpen")(false);
              },
              none: () => "No such city.",
            }),
          ),
        ),
      ),
      m(
        "div.state-grid",
        m(
          "div.stack",
          m(Switch, {
            label: "Quiet hours",
            help: "From 22:00 to 08:00, where the phone is.",
            checked: values.on,
            onchange: set("on"),
          }),
          m(Switch, { label: "Off", checked: false, onchange: nothing }),
          m(Switch, { label: "On, disabled", checked: true, disabled: true, onchange: nothing }),
          m(Switch, { label: "Off, disabled", checked: false, disabled: true, onchange: nothing }),
        ),
        m(
          "div.stack",
          m(Check, { label: "Ticked", checked: values.on, onchange: set("on") }),
          m(Check, { label: "Not ticked", checked: false, onchange: nothing }),
          m(Check, { label: "Some of them", indeterminate: true, onchange: nothing }),
          m(Check, { label: "Disabled", checked: true, disabled: true, onchange: nothing }),
        ),
        m(Choices, {
          label: "When",
          value: values.choice,
          onchange: set("choice"),
          options: [{ value: "now", label: "Now" }, {
            value: "at",
            label: "At a time",
            help: "The same moment everywhere.",
          }, { value: "local", label: "Local time", help: "At 09:00 where the phone is." }],
        }),
      ),
      m(
        "div.state-grid",
        m(FileDrop, { label: "Drop the .p8 file here", help: "or choose it.", icon: "key", onfile: nothing }),
        m(FileDrop, {
          label: "Drop a file here",
          name: "AuthKey_ABC123.p8",
          help: "Choose another file",
          onfile: nothing,
        }),
        m(FileDrop, { label: "Drop a file here", help: "or choose one.", slim: true, onfile: nothing }),
        m(FileDrop, { label: "Sending it", slim: true, isBusy: true, onfile: nothing }),
        m(FileDrop, {
          label: "Drop the .p8 file here",
          help: "or choose it.",
          slim: true,
          error: "There is no private key in this file.",
          onfile: nothing,
        }),
      ),
    ],
  };
}
