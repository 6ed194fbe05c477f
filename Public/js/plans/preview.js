// A local notification in its default language, about as a locked phone shows it.

import m from "../m.js";
import { clock, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { session } from "../session.js";
import { Bell } from "../ui/bell.js";
import { sentenceOf } from "./sentence.js";

/** A plain text as alert is the body. */
const alertOf = (
  content,
) => (typeof content?.aps?.alert === "string" ? { body: content.aps.alert } : content?.aps?.alert ?? {});

/** `notification` may be undefined: then the phone is empty. */
export const PlanPreview = {
  view: ({ attrs: { notification } }) => {
    const { title, subtitle, body } = alertOf(notification?.content);
    return m(
      "div.stack",
      m(
        "div.wallpaper",
        m("p.note-clock", { "aria-hidden": "true" }, clock(Date.now())),
        notification &&
          m(
            "div.note-card",
            m("span.note-icon", m(Bell)),
            m(
              "div.note-text",
              m("div.note-head", m("b.cut", title || session.thisApp?.name), m("span", t("category.now"))),
              subtitle && m("p.cut", m("b", subtitle)),
              m("p.note-body", { class: body ? "" : "soft" }, body || t("plan.noText")),
            ),
          ),
      ),
      m(
        "p.soft.meta",
        notification ? sentences([sentenceOf(notification.trigger), t("plan.previewNote")]) : t("plan.previewNone"),
      ),
    );
  },
};
