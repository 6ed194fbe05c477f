// Reads and changes single members of a payload and keeps all others. Does not use the DOM or the network.

import { isObject, put } from "../json/paths.js";
import { fields, words } from "../payload/fields.js";
import { buttonsKey } from "./buttons.js";

/** One text of the alert: "title", "subtitle" or "body". A plain string is the body. */
export function text(payload, name) {
  const alert = payload?.aps?.alert;
  if (typeof alert === "string") return name === "body" ? alert : "";
  return typeof alert?.[name] === "string" ? alert[name] : "";
}

/** Changes a member of the alert; nothing is left behind when it becomes empty. */
export function setAlert(payload, name, value) {
  const alert = payload?.aps?.alert;
  const full = typeof alert === "string" ? { body: alert } : alert ?? {};
  const next = put(full, [name], isEmpty(value) ? undefined : value);
  return put(payload, ["aps", "alert"], Object.keys(next).length ? next : undefined);
}

/** Changes a key of `aps`; an empty value removes it. */
export function setAps(payload, name, value) {
  return put({ aps: {}, ...payload }, ["aps", name], isEmpty(value) ? undefined : value);
}

/** What a payload has at a field of the table. */
export function valueOf(payload, { name, path }) {
  return path.startsWith("aps.alert.") ? payload?.aps?.alert?.[name] : payload?.aps?.[name];
}
export function setValue(payload, { name, path }, value) {
  return path.startsWith("aps.alert.") ? setAlert(payload, name, value) : setAps(payload, name, value);
}

const isEmpty = (value) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length);

/** The app's own keys: [[name, value]]. Typed buttons have a field of their own. */
export function ownKeys(payload) {
  return Object.entries(payload ?? {}).filter(([name]) => name !== "aps" && name !== buttonsKey);
}

/** A typed text as a JSON value: `3`, `true`, `{"a":1}` are taken as such, everything else is text. */
export function parseValue(typed) {
  if (!/^\s*(-?\d|[[{"]|true$|false$|null$)/.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

/** The reverse of `parseValue`. */
export function writeValue(value) {
  if (typeof value !== "string") return JSON.stringify(value);
  return parseValue(value) === value ? value : JSON.stringify(value);
}

/** A badge: a whole number, or Liquid that writes one. */
export function parseBadge(typed) {
  return /^\d+$/.test(typed.trim()) ? Number(typed) : typed;
}

const encoder = new TextEncoder();
/** The bytes of a value as JSON. */
export function bytesOf(value) {
  return value === undefined ? 0 : encoder.encode(JSON.stringify(value)).length;
}

/**
 * Divides the bytes of a payload: [{kind, color, value}] of title, subtitle, body, other keys of Apple's, and the
 * app's data.
 */
export function parts(payload) {
  const alert = payload?.aps?.alert;
  const texts = words.map(({ name: kind, color }) => ({
    kind,
    color,
    value: text(payload, kind) ? bytesOf(text(payload, kind)) : 0,
  }));
  const inner = texts.reduce((sum, each) => sum + each.value, 0);
  const aps = bytesOf(payload?.aps ?? {});
  const all = bytesOf(payload ?? {});
  return [
    ...texts,
    { kind: "keys", color: "var(--cancelled)", value: Math.max(0, aps - (alert === undefined ? 0 : inner)) },
    { kind: "data", color: "var(--series-2)", value: Math.max(0, all - aps) },
  ];
}

/** Returns true if the phone shows something: an alert with text, or with a key of a text in the app. */
export function isVisible(payload) {
  const alert = payload?.aps?.alert;
  if (typeof alert === "string") return alert !== "";
  return isObject(alert) && fields.some(({ name, isShown }) => isShown && alert[name]);
}

/** The line of a JSON syntax error, from 1; null when the browser does not say. */
export function errorLine(message, source) {
  const line = /line (\d+)/.exec(message);
  if (line) return Number(line[1]);
  const position = /position (\d+)/.exec(message);
  if (position) return source.slice(0, Number(position[1])).split("\n").length;
  return /end of/i.test(message) ? source.split("\n").length : null;
}
