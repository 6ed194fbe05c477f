// Apple's key files: `AuthKey_ABC123DEFG.p8`. The server repairs and names what is in them.

/** The key id that a file's name carries, or null. Browsers add " (1)" to a second download. */
export function keyIDOf(name) {
  return /(?:^|[/\\])(?:AuthKey|APNsAuthKey|ApiKey)_([A-Z0-9]{10})(?:[ _-]?\(?\d{1,3}\)?)?\.p8(?:\.txt)?$/i
    .exec(name.trim())?.[1].toUpperCase() ?? null;
}

/** The greatest size of a key file in bytes; the API takes no more, as base64 neither. */
export const largestKey = 12_288;

/** The bytes of a file as the API takes them: text as it is, and DER, .p12 or UTF-16 as base64. */
export function keyText(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Not UTF-8.
  }
  return btoa(String.fromCharCode(...bytes));
}

/** A team or key id, of what is typed or pasted: ten capital letters and digits. */
export const cleanID = (text) => keyIDOf(text) ?? text.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 10);
