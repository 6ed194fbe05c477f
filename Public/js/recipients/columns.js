// The columns of the list of recipients.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { deviceHref, localeName, personHref } from "../devices/words.js";
import { shortWindowText } from "../pushes/words.js";
import { reasonCode, reasonName } from "../reasons.js";
import { session } from "../session.js";
import { Badge, Kind } from "../ui/badge.js";

/** Characters of an installation that are shown. */
const shown = 10;
const none = () => m("span.soft.none", "–");

const person = (
  { user_id: user },
) => (user
  ? session.may("devices:read") ? m("a.row-link", { href: personHref(user) }, m("b", user)) : m("b", user)
  : m("span.soft", t("people.nobody")));
const device = (
  { installation },
) => (installation
  ? m(
    "a.mono.nowrap",
    { href: deviceHref({ installation }), title: installation },
    installation.length > shown + 2 ? `${installation.slice(0, shown)}…` : installation,
  )
  : m("span.soft", session.may("devices:read") ? t("people.erased") : "–"));
const outcome = (each) =>
  m(
    "span.row",
    m(Kind, { kind: each.outcome }),
    each.is_resent && m(Badge, t("people.resent")),
    each.was_deferred && m(Badge, t("people.deferred")),
  );
const reason = (
  { outcome: kind, reason: why },
) => (why || ["rejected", "suppressed", "unknown"].includes(kind)
  ? [reasonName(why), reasonCode(why) && [" ", m("code.soft", why)]]
  : none());
const why = ({ installation }, run) =>
  installation &&
  m("a.nowrap", {
    href: `${deviceHref({ installation })}?why=${run}`,
    "aria-label": `${t("why.title")} ${installation}`,
  }, t("why.title"));

/** The columns for a run. Columns for wide screens only are also in "Why?". */
export function columnsOf(run) {
  const onWide = (cell) => (each) => m("span.wide-only", cell(each));
  return [
    { id: "person", label: t("people.person"), wide: true, cell: person },
    { id: "device", label: t("people.device"), cell: device },
    { id: "outcome", label: t("recipients.outcome"), cell: outcome },
    { id: "reason", label: t("people.reason"), cell: reason },
    { id: "apple", label: t("people.apple"), number: true, cell: onWide(({ apple }) => apple?.status ?? none()) },
    {
      id: "locale",
      label: t("people.locale"),
      cell: onWide(({ locale }) => (locale ? m("span", { title: localeName(locale) }, locale) : none())),
    },
    { id: "window", label: t("people.window"), cell: onWide((each) => shortWindowText(each, run.started_at)) },
    {
      id: "opened",
      label: t("people.opened"),
      cell: ({ opened_at: at }) => (at ? m("span.nowrap", moment(at)) : none()),
    },
    session.may("devices:read") && { id: "why", label: t("why.title"), cell: (each) => why(each, run.id) },
  ].filter(Boolean);
}
