// The content with which a new campaign or template begins.

/** A push sounds unless somebody decides that it does not. */
export function newPayload() {
  return { aps: { sound: "default" } };
}
