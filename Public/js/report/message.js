// The push beside its report: on a phone, in each language, with values filled in. Until that is loaded, its text on a
// card.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { messageOf } from "../campaigns/message.js";
import { loadModule } from "../modules.js";

let MessagePreview = null;

/** `content` {payload, variants, media}, or undefined while a template is being loaded; `isTemplate`. */
export const Message = {
  oncreate: () => {
    // The report itself comes first. Without the phone the card stays.
    MessagePreview ??= loadModule("content/message-preview.js").then((module) => {
      ({ MessagePreview } = module);
      m.redraw();
    }, () => {
      MessagePreview = null;
    });
  },
  view: ({ attrs: { content, isTemplate } }) =>
    m(
      "section.sheet.stack",
      m("h2", t("report.message")),
      content && typeof MessagePreview === "function"
        ? m(MessagePreview, { content, isTemplate })
        : content && card(content.payload),
    ),
};

function card(payload) {
  const { title, subtitle, body } = messageOf(payload);
  if (!title && !body) return m("p.soft", t("report.silent"));
  return m(
    "div.push-card",
    m("p.meta.row.nowrap", m("b.cut", session.thisApp?.name), m("span.push", t("report.now"))),
    title && m("p.push-title", { dir: "auto" }, m("b", title)),
    subtitle && m("p.push-title", { dir: "auto" }, subtitle),
    body && m("p.push-body", { dir: "auto", title: body }, body),
  );
}
