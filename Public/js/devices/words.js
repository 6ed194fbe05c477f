// Names a device, and says in words what is known about it.

import { city, clock, format, has, t } from "../i18n.js";
import { page } from "../session.js";
import { modelName } from "./models.js";

/** "…24ad4c" for a long installation; no line breaks after the dots. */
export function ending(installation) {
  return installation.length > 12 ? `…\u2060${installation.slice(-6)}` : installation;
}

/** The nickname, or the model, or the ending of the installation. */
export function deviceName({ nickname, model, installation }) {
  return nickname || modelName(model) || ending(installation);
}

/** The text that distinguishes a device from others of the same name; empty when the name is the ending already. */
export function endingUnder(device) {
  return deviceName(device) === ending(device.installation) ? "" : ending(device.installation);
}

/** The address of a device's page; one that is not for alerts has its kind and activity, too. */
export function deviceHref({ installation, kind = "alert", activity }) {
  const parts = new URLSearchParams();
  if (kind !== "alert") parts.set("kind", kind);
  if (activity) parts.set("activity", activity);
  return page(`/devices/${encodeURIComponent(installation)}`) + (parts.size ? `?${parts}` : "");
}

export function personHref(user) {
  return page(`/people/${encodeURIComponent(user)}`);
}

/** The name of the person by the attributes of the device, which have those of its user; empty without one. */
export function personName({ attributes, person }) {
  const all = { ...attributes, ...person?.attributes };
  const text = (value) => (typeof value === "string" ? value.trim() : "");
  return text(all.name) || text(all.full_name) || [all.first_name, all.last_name].map(text).filter(Boolean).join(" ");
}

/** "German (Germany)" for "de-DE", or what the device stated. */
export function localeName(locale) {
  if (!locale) return "–";
  try {
    return format("DisplayNames", { type: "language", fallback: "code" }).of(locale.replaceAll("_", "-"));
  } catch {
    return locale;
  }
}

/** The clock in the device's zone, as "18:04 Chicago"; null for a zone that this browser does not know. */
export function zoneTime(timeZone, now = Date.now()) {
  if (!timeZone) return null;
  try {
    return `${clock(now, { timeZone })} ${city(timeZone)}`;
  } catch {
    return null;
  }
}

/** A text of a code, or the code of a server that is newer than this page. */
export function word(area, code) {
  return has(`${area}.${code}`) ? t(`${area}.${code}`) : code;
}

export const kinds = [
  "alert",
  "voip",
  "live_activity_start",
  "live_activity_update",
  "widget",
  "control",
  "complication",
  "location",
  "push_to_talk",
  "file_provider",
];
