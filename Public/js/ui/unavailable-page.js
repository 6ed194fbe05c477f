import m from "../m.js";
import { Bell } from "./bell.js";

/** A page that can't be shown: what is the matter, and the ways on. `detail` is what was asked for. */
export const UnavailablePage = {
  view: ({ attrs: { title, text, detail }, children }) =>
    m(
      "section.unavailable",
      m(Bell),
      m("h1", title),
      m("p.lead.soft", text),
      detail && m("p", m("code.unavailable-detail", detail)),
      m("div.row", children),
    ),
};
