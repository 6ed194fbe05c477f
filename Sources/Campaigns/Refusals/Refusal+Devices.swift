import JSON

/// Devices and people.
extension Refusal {
    public static let tooManyTags = Refusal(
        .invalid, "too-many-tags", field: "tags",
        "With these changes, the installation or person would have more than 100 tags. Remove some first.")

    public static func tooManyTagChanges(limit: Int) -> Refusal {
        Refusal(
            .conflict, "too-many-tag-changes",
            "An app can have at most \(limit) changes of tags that are running. Wait until one has finished, or cancel "
                + "one.")
    }

    public static func tagChangeEnded(_ state: TagChange.State) -> Refusal {
        Refusal(
            .conflict, "tag-change-ended",
            "Only a change of tags that is running can be cancelled, and this one is \(state.rawValue).")
    }

    /// Each kind of token is another one. Moving it silently would end the pushes of the device that has it.
    public static func tokenOfAnotherKind(_ owner: DeviceKind, registered kind: DeviceKind) -> Refusal {
        Refusal(
            .conflict, "token-of-another-kind", field: "token",
            "This token is registered already, with the kind \(owner.name). iOS gives a different token for \(kind.name): "
                + "send that one. If the kind \(owner.name) was a mistake, delete that device first.")
    }

    public static let tooManyOptOuts = Refusal(
        .invalid, "too-many-opt-outs", field: "opt_outs",
        "With these changes, the installation or person would have more than 100 opt-outs. Remove some first.")

    public static let attributesTooLarge = Refusal(
        .invalid, "attributes-too-large", field: "attributes",
        "With these changes, the attributes of the installation or person would have more than 16 KiB. Remove some "
            + "first.")
}

/// What a publishable key may register.
extension Refusal {
    public static let identityUnverified = Refusal(
        .forbidden, "identity-unverified",
        "This app accepts a user ID only with a signature of its server. Send user_id_signature: the HMAC-SHA-256 of the "
            + "user_id with the app's identity key, in hexadecimal.")

    /// A registration changes a person without proving that the device is theirs.
    public static let personUnproven = Refusal(
        .forbidden, "identity-unverified",
        "This app changes a person only with a signature of its server. Send user_id and user_id_signature together with "
            + "person.")

    /// A registration lacks these rights for so many seconds.
    public static func limited(_ lacking: RegistrationRights, retryAfter seconds: Int) -> Refusal {
        lacking.contains(.newToken)
            ? limited(
                "too-many-new-tokens", "Too many tokens have moved to other installations from this network.", seconds)
            : limited(
                "too-many-new-installations", "The app registers too many new installations at the moment.", seconds)
    }

    private static func limited(_ code: String, _ message: Message, _ seconds: Int) -> Refusal {
        Refusal(.limited(retryAfter: seconds), code, "\(message) Try again in \(seconds) seconds.")
    }
}

/// The demo's virtual phones.
extension Refusal {
    public static let noVirtualPhones = Refusal(
        .conflict, "no-virtual-phones",
        "Only belfry demo has virtual phones. Register a device with the app, or with PUT /v1/apps/{app}/devices/{id}.")

    public static let virtualPhonesBusy = Refusal(
        .busy, "virtual-phones-busy", "Another virtual phone is registering. Try again in a few seconds.")

    public static func tooManyVirtualPhones(limit: Int) -> Refusal {
        Refusal(.conflict, "too-many-virtual-phones", "A demo can have at most \(limit) added virtual phones.")
    }

    public static let virtualPhoneRefused = Refusal(
        .invalid, "virtual-phone-refused", field: "key",
        "The phone could not register with this key. Use a valid publishable key of this app.")
}
