import m from "../m.js";
import { t } from "../i18n.js";

let last = 0;

/** A term of the glossary, which explains itself on hover, on focus and to screen readers. */
export function Term() {
  const id = `term-${++last}`;
  return {
    view: ({ attrs: { name }, children }) =>
      m(
        "span.term",
        { tabindex: 0, "aria-describedby": id },
        children?.length ? children : t(`term.${name}.name`),
        m("span.tip", { id, role: "tooltip" }, t(`term.${name}.text`)),
      ),
  };
}
