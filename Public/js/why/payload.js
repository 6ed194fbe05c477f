// The push as it was sent: the notification on a phone, and the payload as JSON.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { isVisible, text } from "../content/payload.js";
import { Copy } from "../ui/copy.js";
import { Phone } from "../content/phone.js";

/** Alerts whose texts the app has itself show their keys. */
const keyText = (payload) => (payload.aps?.alert?.["loc-key"] ? `⟨${payload.aps.alert["loc-key"]}⟩` : "");

function Preview({ payload, locale }) {
  const push = {
    title: text(payload, "title"),
    subtitle: text(payload, "subtitle"),
    body: text(payload, "body") || keyText(payload),
    media: null,
    level: payload.aps?.["interruption-level"],
  };
  return m(Phone, {
    push,
    category: null,
    place: "lock",
    locale,
    app: { name: session.nameOnPhones },
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    label: t("phone.label", { title: push.title, body: push.body }),
    silent: isVisible(payload) ? undefined : t("phone.silent"),
  });
}

/** `answer` of the API, about a push that was composed. */
export const Payload = {
  view: ({ attrs: { answer: { payload, delivery, language, is_payload_exact: isExact } } }) =>
    m(
      "section.stack",
      m("h3", t("why.payload")),
      payload === null ? m("p.soft", t("why.noPayload")) : [
        m("p.soft", t(isExact ? "why.exact" : "why.notExact")),
        m(
          "div.why-payload",
          m(Copy, { text: JSON.stringify(payload, null, 2), label: t("why.payload") }),
          m("div.why-phone", Preview({ payload, locale: language ?? delivery.locale ?? "en" })),
        ),
      ],
    ),
};
