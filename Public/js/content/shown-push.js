// The parts of a payload that a phone shows. Does not use the DOM or the network.

import { text } from "./payload.js";

/**
 * {title, subtitle, body, media, level, isMuted} for `Phone`. `write(name)` gives a text of the alert, filled in;
 * `media` are the files of the app.
 */
export function shownPush({ payload, content, write, media = [] }) {
  const file = mediaFile(content, media);
  const aps = payload?.aps ?? {};
  return {
    title: write("title"),
    subtitle: write("subtitle"),
    body: write("body") || keyText(aps),
    media: file && {
      url: file.url,
      kind: file.kind ?? "image",
      isOwn: file.storage !== undefined && file.storage !== "external",
    },
    level: aps["interruption-level"],
    isMuted: !aps.sound || aps["interruption-level"] === "passive",
  };
}

/** The file that the content shows, undefined without one; of an address elsewhere only that is known. */
export function mediaFile({ media: chosen }, media) {
  if (chosen?.id) return media.find(({ id }) => id === chosen.id);
  return chosen?.url ? { url: chosen.url } : undefined;
}

/** Texts that the app has are not known here: their key replaces them. */
function keyText({ alert }) {
  return alert?.["loc-key"] ? `⟨${alert["loc-key"]}⟩` : "";
}

/** Writes texts as they are. */
export const plainTexts = (payload) => (name) => text(payload, name);
