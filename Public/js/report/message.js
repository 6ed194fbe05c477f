// The push beside its report: on a phone, in each language, with values filled in. Until that is loaded, its text on a
// card.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { messageOf } from "../campaigns/message.js";
import { VariantTabs } from "../campaigns/variant-tabs.js";
import { loadModule } from "../modules.js";

let MessagePreview = null;

/** `campaign`, and the `contents` {payload, variants, media} of its variants; undefined where one can't be loaded. */
export function Message() {
  let place = 0;
  return {
    oncreate: () => {
      // The report itself comes first. Without the phone the card stays.
      MessagePreview ??= loadModule("content/message-preview.js").then((module) => {
        ({ MessagePreview } = module);
        m.redraw();
      }, () => {
        MessagePreview = null;
      });
    },
    view: ({ attrs: { campaign, contents } }) => {
      const { variants } = campaign;
      place = Math.min(place, contents.length - 1);
      const content = contents[place];
      return m(
        "section.sheet.stack",
        m("h2", t("report.message")),
        variants && m(VariantTabs, {
          variants,
          place,
          onchange: (next) => {
            place = next;
          },
        }),
        content && typeof MessagePreview === "function"
          ? m(MessagePreview, { content, isRendered: !(variants?.[place] ?? campaign).payload })
          : content && card(content.payload),
      );
    },
  };
}

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
