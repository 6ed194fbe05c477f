import m from "../m.js";
import { number } from "../i18n.js";
import { labelled } from "../phrases.js";

/**
 * Parts of a whole as one bar: `parts` are {kind or colour, value, label}. `all` is the whole; the rest stays empty.
 */
export const Meter = {
  view: ({ attrs: { parts, all, label, class: more = "" } }) => {
    const sum = parts.reduce((total, { value }) => total + value, 0);
    return m(
      "div.meter",
      { role: "img", "aria-label": label, class: more },
      [...parts.filter(({ value }) => value > 0), all > sum && { kind: "rest", value: all - sum }].filter(Boolean)
        .map(({ kind, color, value, label: name }) =>
          m("i", {
            key: kind ?? color,
            "data-kind": kind,
            title: name ? labelled(name, number(value)) : undefined,
            style: { flexGrow: value, ...(color && { background: color }) },
          })
        ),
    );
  },
};

/** A progress bar: from 0 to 1, or null while the progress is not known. */
export const Progress = {
  view: ({ attrs: { value, label } }) =>
    m("progress", { "aria-label": label, max: 1, ...(value === null ? {} : { value }) }),
};
