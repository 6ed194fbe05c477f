import JSON

/// Apps and their keys.
extension Refusal {
    public static let bundleIDTaken = Refusal(
        .conflict, "bundle-id-taken", field: "bundle_id", "Another app already has this bundle id.")

    public static func messageIDKeyTaken(by content: String) -> Refusal {
        Refusal(
            .conflict, "message-id-key-in-use", field: "message_id_key",
            "The payload of “\(content)” already uses this key. Choose another key for message ids.")
    }

    public static let keyIDTaken = Refusal(
        .conflict, "key-id-taken", field: "key_id",
        "The app already has a credential with this key id. Delete that one first.")

    public static let unknownTimeZone = Refusal(
        .invalid, "unknown-time-zone", field: "default_time_zone",
        "This time zone is unknown. Use a name like Europe/Berlin.")

    /// Deleting the app would delete the ledger of a run that is not finished.
    public static let appIsSending = Refusal(
        .conflict, "app-is-sending",
        "A campaign or a transactional push of this app is being sent. Cancel it first, or wait until it has finished.")

    /// Every registration of a user would be refused.
    public static let identityKeyMissing = Refusal(
        .conflict, "identity-key-missing", field: "identity_verification",
        "The app has no identity key yet. Make one with POST /v1/apps/{app}/identity-key, let your server sign user IDs "
            + "with it, and then turn identity_verification on.")

    public static let keyHasEnded = Refusal(
        .conflict, "key-has-ended", "The key was revoked or has expired, so it can't be replaced. Create a new one.")

    public static let keyIsStopped = Refusal(
        .conflict, "key-is-stopped",
        "The person who made this key is disabled, so a new key like it would not work. Take the key over with POST "
            + "…/keys/{key}/adopt first.")

    /// Without an APNs key nothing can be sent.
    public static let noCredential = Refusal(
        .conflict, "no-credential",
        "The app has no APNs key (.p8). Add one to its credentials; Apple accepts no push without it.")

    public static let webhookDisabled = Refusal(
        .conflict, "webhook-disabled", "The webhook is disabled, so nothing is sent to it. Enable it first.")
}
