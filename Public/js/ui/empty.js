import m from "../m.js";
import { Icon } from "./icon.js";

/** Shown where there is nothing yet: names the future content, and the first step. */
export const Empty = {
  view: ({ attrs: { icon, title, text }, children }) =>
    m(
      "div.empty",
      icon === "bell"
        ? m("img", { src: "/bell.svg", alt: "", width: 56, height: 56 })
        : icon && m(Icon, { name: icon }),
      m("h2", title),
      text && m("p.soft", text),
      m("div.row", children),
    ),
};
