// The link that a tap on the push opens. It is a key of the app's in the payload, and the app opens it. Does not use
// the DOM or the network.

import { put } from "../json/paths.js";
import { ownKeys } from "./payload.js";

/** The key of a new link. */
export const usualKey = "link";
/** Names that apps and other services give it. */
const names = [usualKey, "url", "deep_link", "deeplink", "deepLink", "launch_url"];
const scheme = /^[a-z][a-z0-9+-]*:/i;
const file = /\.(png|jpe?g|gif|webp|heic|mp4|mov|m4a|mp3|wav|aiff?)($|[?#])/i;
const placeholder = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** {key, link} of a payload, or null: under `known` or a usual name, else the first address that is no media file. */
export function linkOf(payload, known = usualKey) {
  const texts = ownKeys(payload).filter(([, value]) => typeof value === "string" && value !== "");
  const named = [known, ...names].map((name) => texts.find(([key]) => key === name)).find(Boolean);
  const found = named ?? texts.find(([, value]) => value.includes("://") && scheme.test(value) && !file.test(value));
  return found ? { key: found[0], link: found[1] } : null;
}

/** The payload with a link under this key; without one when it is "". */
export function withLink(payload, key, link) {
  return put(payload, [key], link || undefined);
}

/** Why a phone can't open it: "space", "scheme", "address" or "insecure"; null if it can. */
export function linkProblem(link) {
  const text = link.replace(placeholder, "x");
  if (/\s/.test(text.trim())) return "space";
  // A link that begins with a placeholder has what that has.
  if (/^\s*\{[{%]/.test(link)) return null;
  if (!scheme.test(text)) return "scheme";
  if (/^(javascript|data|file):/i.test(text) || !URL.canParse(text) || /^[a-z0-9+-]+:\/*$/i.test(text)) {
    return "address";
  }
  return /^http:/i.test(text) ? "insecure" : null;
}

/** The same link with https, where that may be what was meant; null otherwise. */
export function secured(link) {
  if (linkProblem(link) === "insecure") return link.replace(/^http:/i, "https:");
  return linkProblem(link) === "scheme" && /^[^\s/]+\.[^\s/]+/.test(link) ? `https://${link}` : null;
}
