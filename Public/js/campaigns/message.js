// The text of a push.

/** {title, subtitle, body} of a payload, as far as it has them. Texts of the app are shown by their keys. */
export function messageOf(payload) {
  const alert = payload?.aps?.alert;
  if (typeof alert === "string") return { body: alert };
  if (!alert || typeof alert !== "object") return {};
  return {
    title: alert.title ?? alert["title-loc-key"],
    subtitle: alert.subtitle ?? alert["subtitle-loc-key"],
    body: alert.body ?? alert["loc-key"],
  };
}
