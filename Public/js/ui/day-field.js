import m from "../m.js";
import { Field } from "./field.js";
import { UncommittedInput } from "./uncommitted-input.js";

/** An input for a date like "2026-11-23". `onchange(date)` gets null when it is empty. */
export const DayInput = {
  view: ({ attrs: { value, onchange, ...rest } }) =>
    m(UncommittedInput, {
      ...rest,
      type: "date",
      value: value ?? "",
      // While somebody types the year 2026, browsers tell the years 2, 20 and 202.
      onchange: ({ target }) => target.value.startsWith("0") || onchange(target.value || null),
    }),
};

/** The same with its label above, which may be `hidden`. */
export const DayField = {
  view: ({ attrs: { label, hidden, ...rest } }) =>
    m(Field, { label, hidden, control: (aria) => m(DayInput, { ...rest, ...aria }) }),
};
