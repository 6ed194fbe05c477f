// A part of the form that is closed at first. Its head says what is set in it. Its module is loaded when it is opened.

import m from "../m.js";
import { Lazy } from "../ui/lazy.js";

/**
 * `title`; `set` are the values in it that are not as usual, in words; falsy ones are left out; `module` and `fields`
 * as of `Lazy`.
 */
export function Fold() {
  let wasOpened = false;
  return {
    view: ({ attrs: { title, set = [], module, fields } }) => {
      const values = set.filter(Boolean);
      return m(
        "details.fold",
        {
          ontoggle: ({ target }) => {
            wasOpened ||= target.open;
          },
        },
        m("summary", title, values.length > 0 && m("span.fold-values.soft", values.join(" · "))),
        wasOpened && m(Lazy, { module, fields }),
      );
    },
  };
}
