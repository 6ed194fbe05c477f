import m from "../m.js";
import { langOf } from "../i18n.js";
import { Icon } from "./icon.js";

const icons = {
  danger: "exclamation-octagon",
  warn: "exclamation-triangle",
  good: "check-circle",
  note: "info-circle",
};

/** A message that stays: `variant` is danger, warn, good or note. Actions are children too. */
export const Banner = {
  view: ({ attrs: { variant = "note", role, class: more = "", ...rest }, children }) =>
    m(
      "div.banner",
      { ...rest, role, class: `${variant} ${more}` },
      m(Icon, { name: icons[variant] }),
      m("div.grow", { lang: langOfOnly(children) }, children),
    ),
};

/** A message of the server is all that a banner says. */
function langOfOnly(children) {
  return children.length === 1 && children[0]?.tag === "#" ? langOf(children[0].children) : undefined;
}
