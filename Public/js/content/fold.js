// A part of the form that is closed at first. Its head says what is set in it.

import m from "../m.js";

/** `title`; `set` are the values in it that are not as usual, in words; falsy ones are left out. */
export const Fold = {
  view: ({ attrs: { title, set = [] }, children }) => {
    const values = set.filter(Boolean);
    return m(
      "details.fold",
      m("summary", title, values.length > 0 && m("span.fold-values.soft", values.join(" · "))),
      children,
    );
  },
};
