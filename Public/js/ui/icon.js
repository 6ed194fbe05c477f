import m from "../m.js";

/** An icon from the sprite (Bootstrap Icons), beside a word. An icon without a word needs a `label`. */
export const Icon = {
  view: ({ attrs: { name, label } }) =>
    m(
      "svg.icon",
      label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" },
      m("use", { href: `/vendor/icons.svg#${name}` }),
    ),
};
