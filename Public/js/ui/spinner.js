import m from "../m.js";

export const Spinner = { view: () => m("span.spinner", { "aria-hidden": "true" }) };
