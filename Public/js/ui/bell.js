import m from "../m.js";

/** The things that send at the moment: the bell rings meanwhile. */
export const ringing = new Set();

export const Bell = {
  view: () =>
    m(
      "svg.bell",
      { viewBox: "0 0 32 32", "aria-hidden": "true", class: ringing.size ? "ringing" : "" },
      m("path.arch", { d: "M6 28.5V14a10 10 0 0 1 20 0v14.5M3.5 28.5h25" }),
      m(
        "g.swing",
        m("path", {
          d: "M16 8.5c-3.1 0-4.4 2.4-4.4 5.3 0 3.4-.7 5.1-2.1 6.7h13c-1.4-1.6-2.1-3.3-2.1-6.7 0-2.9-1.3-5.3-4.4-5.3z",
        }),
        m("circle", { cx: 16, cy: 23, r: 1.7 }),
      ),
    ),
};
