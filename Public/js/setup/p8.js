// Apple's key files: `AuthKey_ABC123DEFG.p8`. Pure.

/** The key id that a file's name carries, or null. Browsers add " (1)" to a second download. */
export function keyIDOf(name) {
  return /^(?:AuthKey|APNsAuthKey|ApiKey)_([A-Z0-9]{10})(?:[ _-]?\(?\d{1,3}\)?)?\.p8$/i.exec(name.trim())?.[1].toUpperCase() ?? null;
}

/** The greatest size of a key file in bytes; the API takes no more. */
export const largestKey = 4096;

/** Returns the name of the text that says what is wrong with a key file, or null. */
export function problemOfKey(text) {
  if (text.length > largestKey) return "tooLarge";
  if (/BEGIN CERTIFICATE/.test(text)) return "certificate";
  if (!/-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----/.test(text)) return "noKey";
  return null;
}

/** The form of a team or key id: ten capital letters and digits. */
export const cleanID = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 10);
