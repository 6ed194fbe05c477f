// Texts for the outcome of a push to a device.

import { city, clock, day, moment, t } from "../i18n.js";
import { localeName } from "../devices/words.js";

/** The name of the campaign of an entry; single pushes have none. */
export function pushName({ campaign_id: id, campaign_name: name }) {
  if (!id) return t("history.single");
  return name ?? t("history.campaign", { id });
}

const isSame = (one, other) => day(one, { year: true }) === day(other, { year: true });

/**
 * The time of the push, or of the decision against it: from its due time to the end of its batch, to the second, by the
 * reader's clock.
 */
export function windowText({ due_at: due, ended_at: ended }) {
  const from = clock(due, { seconds: true });
  if (!ended) return t("history.since", { time: from });
  const to = isSame(due, ended) ? clock(ended, { seconds: true }) : moment(ended, { seconds: true });
  return from === to ? t("history.at", { time: from }) : t("history.between", { from, to });
}

/** The same with its day and the clock's city. */
export function fullWindowText(push) {
  return t("history.dated", { day: day(push.due_at), window: windowText(push), city: city() });
}

/** The same for a table: the day only where it is not that of the run. */
export function shortWindowText({ due_at: due, ended_at: ended }, since) {
  const [from, to] = [due, ended].map((time) =>
    time && `${isSame(time, since) ? "" : `${day(time)} `}${clock(time, { seconds: true })}`
  );
  return to === from ? from : `${from} – ${to ?? ""}`;
}

/** Due times with as many digits as tell them apart: a Map from each to its text. */
export function dueTexts(times) {
  const fraction = (time) => new Date(time).toISOString().slice(19, 23);
  const ways = [
    (time) => moment(time),
    (time) => moment(time, { seconds: true }),
    (time) => `${day(time)} ${clock(time, { seconds: true })}${fraction(time)} ${city()}`,
  ];
  const telling = ways.find((way) => new Set(times.map(way)).size === times.length) ?? ways.at(-1);
  return new Map(times.map((time) => [time, telling(time)]));
}

/** "410 Unregistered", or null for a push that Apple did not answer. */
export function appleText({ apple }) {
  return apple ? [apple.status, apple.reason].filter((part) => part !== null).join(" ") : null;
}

const properties = ["locale", "os_version", "app_version"];

/**
 * Locale and versions of the device when the push was sent, as parts. With `today`, only those that have changed since.
 */
export function deviceThen(push, today = null) {
  const writers = {
    locale: (value) => (today ? t("history.inLanguage", { language: localeName(value) }) : localeName(value)),
    os_version: (value) => `iOS ${value}`,
    app_version: (value) => t(today ? "history.inApp" : "devices.appVersion", { version: value }),
  };
  const differs = (name) => !today || (name in today && push[name] !== today[name]);
  return properties.filter((name) => push[name] && differs(name)).map((name) => writers[name](push[name]));
}
