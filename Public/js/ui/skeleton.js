import m from "../m.js";
import { t } from "../i18n.js";

/** Grey bars of the size of what will come. They appear after 150 ms, so that what is quick does not flicker. */
export const Skeleton = {
  view: ({ attrs: { rows = 4, height = 22, class: more = "" } }) =>
    m(
      "div.skeleton",
      { class: more, role: "status", "aria-label": t("state.loading") },
      Array.from({ length: rows }, () => m("i", { style: { height: `${height}px` } })),
    ),
};
