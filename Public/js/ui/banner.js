import m from "../m.js";
import { Icon } from "./icon.js";

const icons = { grave: "exclamation-octagon", warn: "exclamation-triangle", good: "check-circle", note: "info-circle" };

/** A message that stays: `look` is grave, warn, good or note. Actions are children too. */
export const Banner = {
  view: ({ attrs: { look = "note", role, class: more = "", ...rest }, children }) =>
    m("div.banner", { ...rest, role, class: `${look} ${more}` }, m(Icon, { name: icons[look] }), m("div.grow", children)),
};
