// The push's text beside its report, as a simple card.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { messageOf } from "../campaigns/message.js";

/** `payload` in Apple's format, or undefined while a template is being loaded. */
export const Message = {
  view: ({ attrs: { payload } }) => {
    const { title, subtitle, body } = messageOf(payload);
    const isPersonal = JSON.stringify(payload?.aps ?? "").includes("{{");
    return m("section.sheet.stack", m("h2", t("report.message")),
      title || body
        ? m("div.push-card", m("p.meta.row.nowrap", m("b.cut", session.thisApp?.name), m("span.push", t("report.now"))),
          title && m("p.push-title", { dir: "auto" }, m("b", title)), subtitle && m("p.push-title", { dir: "auto" }, subtitle), body && m("p.push-body", { dir: "auto", title: body }, body))
        : payload && m("p.soft", t("report.silent")),
      isPersonal && m("p.meta", t("report.personal")));
  },
};
