// A text of the description. It is English, and text between backquotes is code.

import m from "../m.js";

export const Prose = {
  view: ({ attrs: { text, class: more = "" } }) =>
    m(
      "span.prose",
      { class: more, lang: "en", "data-raw": "" },
      text.split("`").map((part, index) => (index % 2 ? m("code", part) : part)),
    ),
};
