// Keys that need attention: Apple's keys that were refused, and API keys that soon stop working.

import m from "../m.js";
import { moment, relative, t } from "../i18n.js";
import { all, api } from "../api.js";
import { inApp, page, session } from "../session.js";
import { reasonName } from "../reasons.js";
import { Button } from "../ui/button.js";

const day = 86_400_000;
/** Days for which a refusal is shown, and days before its end in which a key is shown. */
const refusalDays = 7, expiryDays = 14;
/** Apple's complaint about a key, or Belfry's about a missing one. */
const reasons = [
  "InvalidProviderToken",
  "ExpiredProviderToken",
  "MissingProviderToken",
  "UnrelatedKeyIdInToken",
  "BadEnvironmentKeyIdInToken",
  "TopicDisallowed",
  "BadTopic",
  "no credential for this environment",
];

/** The groups by reason that are about keys: [{reason, count}]. */
export function refusals(groups) {
  return groups.filter(({ value }) => reasons.includes(value)).map(({ value, targeted }) => ({
    reason: value,
    count: targeted,
  }));
}

/** The API keys that work and stop within the next days, the first one first. */
export function ending(keys, now = Date.now()) {
  const end = ({ expires_at: at }) => Date.parse(at);
  return keys.filter((key) => !key.revoked_at && key.expires_at && end(key) > now && end(key) - now < expiryDays * day)
    .sort(
      (one, other) => end(one) - end(other),
    );
}

/**
 * {refused, ending}. `credentials` are Apple's keys: what was refused before the newest of them was added is over.
 * Totals are of whole days in UTC, so they begin on the day after.
 */
export async function keyTroubles(credentials, signal) {
  const newest = Math.max(
    Date.now() - refusalDays * day,
    ...(credentials ?? []).map(({ created_at: at }) => Date.parse(at)),
  );
  const [totals, keys] = await Promise.all([
    api.get(inApp("/statistics/totals"), {
      by: "reason",
      since: new Date((Math.floor(newest / day) + 1) * day).toISOString(),
    }, { signal }),
    session.may("keys") ? all(inApp("/keys")) : [],
  ]);
  return { refused: refusals(totals.groups), ending: ending(keys) };
}

/** Rows of "Needs attention". */
export function keyRows({ refused, ending: soon }) {
  const row = (key, title, text, href, label) =>
    m(
      "li.dash-row",
      { key },
      m("b", title),
      m("span.soft.grow", text),
      m(Button, { class: "small", href: page(href) }, label),
    );
  return [
    ...refused.map(({ reason, count }) =>
      row(
        reason,
        t("dashboard.keyRefused"),
        t("dashboard.keyRefusedText", { reason: reasonName(reason), count }),
        session.may("apps:read") ? "/app" : "/analytics?by=reason",
        t("dashboard.keyLook"),
      )
    ),
    ...soon.map((key) =>
      row(
        `key ${key.id}`,
        t("dashboard.keyEnds", { name: key.name }),
        `${moment(key.expires_at)} (${relative(key.expires_at)})`,
        "/keys",
        t("dashboard.keyReplace"),
      )
    ),
  ];
}
