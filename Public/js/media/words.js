// Says what a file is: its format, size and dimensions.

import { amount, number, t } from "../i18n.js";

/** The types of files that can be chosen. */
export const accepted = "image/jpeg,image/png,image/gif,audio/*,video/mp4,video/mpeg,video/avi";

const icons = { image: "image", audio: "music-note-beamed", video: "play-btn" };
export function iconOf({ kind, storage }) {
  return icons[kind] ?? (storage === "external" ? "link" : "file");
}

/** Width and height of the pictures that this browser has shown, by id: the API does not return them. */
const dimensions = new Map();
export function learnDimensions({ id }, { naturalWidth: width, naturalHeight: height }) {
  if (width) dimensions.set(id, { width, height });
}
function dimensionsOf({ id }) {
  return dimensions.get(id) ?? null;
}

/** "1200 × 600", or null while it is not known. */
export function dimensionsText(file) {
  const size = dimensionsOf(file);
  return size && t("mediaPage.dimensions", { width: number(size.width), height: number(size.height) });
}

/** "118 kB"; null for a file elsewhere whose size is unknown. */
export function sizeText(bytes) {
  if (bytes === null) return null;
  const [unit, factor] = bytes >= 1e6 ? ["megabyte", 1e6] : bytes >= 1e3 ? ["kilobyte", 1e3] : ["byte", 1];
  return amount(bytes / factor, unit, {
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumSignificantDigits: 3,
  });
}

/** "PNG", or the host of a file elsewhere that could not be looked at. */
export function formatText({ format: name, url }) {
  return name?.toUpperCase() ?? new URL(url).host;
}

/** The address of the content on this server, however devices call the server; null for a file elsewhere. */
export function contentPath({ url, storage }) {
  return storage === "external" ? null : new URL(url, location.origin).pathname;
}
