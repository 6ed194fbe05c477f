// The parts of a payload that a phone shows. Does not use the DOM or the network.

import { text } from "./payload.js";

/**
 * {title, subtitle, body, media, level, isMuted} for `Phone`. `write(name)` gives a text of the alert, filled in;
 * `media` are the files of the app.
 */
export function shownPush({ payload, content, write, media = [] }) {
  const { id, url } = content.media ?? {};
  const file = id ? media.find((each) => each.id === id) : url && { url, kind: "image" };
  const aps = payload?.aps ?? {};
  return {
    title: write("title"),
    subtitle: write("subtitle"),
    body: write("body") || keyText(aps),
    media: file && { url: file.url, kind: file.kind, isOwn: file.storage !== undefined && file.storage !== "external" },
    level: aps["interruption-level"],
    isMuted: !aps.sound || aps["interruption-level"] === "passive",
  };
}

/** Texts that the app has are not known here: their key replaces them. */
function keyText({ alert }) {
  return alert?.["loc-key"] ? `⟨${alert["loc-key"]}⟩` : "";
}

/** Writes texts as they are. */
export const plainTexts = (payload) => (name) => text(payload, name);
