// The events that a device reported for a push, in order: delivered, shown, opened, and what the person did.

import m from "../m.js";
import { clock, day, has, moment, number, rich, t } from "../i18n.js";

/** An event of the API in words, as children of an element. */
function what({ kind, action, text, value }) {
  if (kind === "text") {
    return text
      ? rich("history.reply", { text: m("q", { dir: "auto", "data-raw": "" }, text) })
      : t("history.erasedReply");
  }
  if (kind === "action") return rich("history.event.action", { action: m("code", action ?? "–") });
  if (!has(`history.event.${kind}`)) return kind;
  const name = kind === "converted" && action
    ? rich("history.conversion", { name: m("code", action) })
    : t(`history.event.${kind}`);
  return [name, value !== null && ` · ${t("history.value", { value: number(Number(value)) })}`];
}

/** `events` of an entry of the API; `since` is the time of the push: other days are named. */
export const Events = {
  view: ({ attrs: { events, since } }) =>
    m(
      "ol.events",
      { "aria-label": t("history.events") },
      events.map((event) =>
        m(
          "li",
          { "data-kind-of-event": event.kind },
          m(
            "time.soft",
            { datetime: event.at },
            day(event.at, { year: true }) === day(since, { year: true })
              ? clock(event.at, { seconds: true })
              : moment(event.at, { seconds: true }),
          ),
          m("span", what(event), event.is_implied && m("span.soft", ` (${t("history.implied")})`)),
        )
      ),
    ),
};
