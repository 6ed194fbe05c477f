// Says in words when a campaign is sent.

import { clock, day, moment, relative, relativeDay, t } from "../i18n.js";

/** Returns true if a time of the API has no zone: it is then the time where each phone is. */
export function isLocal(time) {
  return !/Z|[+-]\d\d:\d\d$/.test(time);
}

/** "25 Nov 09:00 where the phone is", or "25 Nov 09:00 Berlin". */
export function timeText(time) {
  if (!isLocal(time)) return moment(time);
  const shown = `${time}Z`;
  return t("campaigns.localTime", { time: `${day(shown, { timeZone: "UTC" })} ${clock(shown, { timeZone: "UTC" })}` });
}

/** "in 2 hours". A local time comes at another hour in each zone, so only its days are counted. */
export function countdown(time, now = Date.now()) {
  return (isLocal(time) ? relativeDay : relative)(new Date(time), now);
}

/** Milliseconds since 1970, by which campaigns are put in order. */
export function instant(time) {
  return time ? new Date(time).getTime() : Infinity;
}
