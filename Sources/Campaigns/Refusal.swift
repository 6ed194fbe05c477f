public import JSON
public import Notifications

/// A request that is valid but not carried out: expected, and explained to the person who asked.
///
/// A new refusal is one static member below. Nothing else lists them: the API takes status, code, field and message
/// from here.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the refusal; each has an HTTP status.
    public enum Kind: Hashable, Sendable {
        /// The request names something that does not exist, or that belongs to another app (404).
        case notFound
        /// The state of things does not allow it (409).
        case conflict
        /// The resource has changed since it was read (412).
        case outdated
        /// A value is well-formed but not acceptable (422).
        case invalid
        /// The content is larger than iOS accepts (413).
        case tooLarge
        /// The sender may not do this (403).
        case forbidden
        /// There are too many of such requests; this one can be sent again after so many seconds (429).
        case limited(retryAfter: Int)
        /// Too much is going on; the request can be sent again in a few seconds (503).
        case busy
    }

    public let kind: Kind
    /// Stable, in kebab-case, for programs.
    public let code: String
    /// One or more sentences: what is wrong, then what to do.
    public let message: String
    /// The member or header at fault; nil when it is the request as a whole.
    public let field: String?

    public init(_ kind: Kind, _ code: String, field: String? = nil, _ message: String) {
        self.kind = kind
        self.code = code
        self.field = field
        self.message = message
    }

    public var description: String { message }

    /// Lets `catch Refusal.schedulePast` match.
    public static func ~= (pattern: Refusal, error: any Error) -> Bool {
        error as? Refusal == pattern
    }
}

// MARK: Any resource

extension Refusal {
    public static func notFound(_ resource: Resource) -> Refusal {
        Refusal(.notFound, "\(resource.rawValue)-not-found", "There is no such \(resource.noun).")
    }

    /// For parameters that restrict what is counted or listed to campaigns.
    public static func campaignsNotFound(_ ids: [Campaign.ID]) -> Refusal {
        let names = ids.map(\.description).joined(separator: ", ")
        return Refusal(
            .notFound, "campaign-not-found", field: "campaigns",
            "This app does not have these campaigns: \(names). Remove their IDs from the parameter campaigns.")
    }

    public static func versionConflict(current: Int) -> Refusal {
        Refusal(
            .outdated, "version-conflict",
            "Someone else has changed it; it is at version \(current) now. Read it again, then repeat your change.")
    }

    /// Throws unless `expected` is nil or the current version.
    public static func checkVersion(_ current: Int, _ expected: Int?) throws(Refusal) {
        if let expected, expected != current { throw versionConflict(current: current) }
    }

    public static let idempotencyKeyInUse = Refusal(
        .invalid, "idempotency-key-in-use", field: "Idempotency-Key",
        "This Idempotency-Key was used for a request with another body. Repeat a request with the same bytes; use a new "
            + "key for a new request.")

    public static let idempotentRequestInProgress = Refusal(
        .conflict, "request-in-progress", field: "Idempotency-Key",
        "The first request with this Idempotency-Key is still being carried out. Send this one again in a few seconds.")

    public static func tooMany(_ resource: Resource, limit: Int) -> Refusal {
        let message =
            resource == .plan
            ? "An app can have at most \(limit) plans that are not archived. Archive or delete one first."
            : "An app can have at most \(limit) \(resource.plural). Delete one first."
        return Refusal(.conflict, "too-many-\(resource.plural)", message)
    }

    /// A constraint of the schema that has no message of its own yet.
    public static func constraint(_ name: String) -> Refusal {
        Refusal(.conflict, "constraint-violated", "The database refused the change because of its constraint \(name).")
    }
}

// MARK: Apps

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
}

// MARK: People who sign in

extension Refusal {
    public static let emailTaken = Refusal(
        .conflict, "email-taken", field: "email", "Somebody with this e-mail address was already added.")

    public static let lastAdmin = Refusal(
        .conflict, "last-admin",
        "This person is the last admin of all apps who can sign in. Make somebody else an admin first.")

    public static let personIsDisabled = Refusal(
        .conflict, "person-is-disabled",
        "This person is disabled and can't sign in. Enable the person first, then make the link.")

    public static let setUpIsDone = Refusal(
        .conflict, "set-up-is-done",
        "The first admin exists already. Sign in, or ask an admin to add you.")

    public static let signInBusy = Refusal(
        .busy, "sign-in-busy", "Too many people are signing in. Try again in a few seconds.")

    public static let linkIsInvalid = Refusal(
        .notFound, "link-is-invalid",
        "This address is unknown, was already used or has expired. Ask for a new one.")
}

// MARK: Devices and people

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

    private static func limited(_ code: String, _ message: String, _ seconds: Int) -> Refusal {
        Refusal(.limited(retryAfter: seconds), code, "\(message) Try again in \(seconds) seconds.")
    }
}

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

// MARK: Topics and categories

extension Refusal {
    public static let topicKeyTaken = Refusal(
        .conflict, "topic-key-taken", field: "key", "The app already has a topic with this key.")

    public static let topicInUse = Refusal(
        .conflict, "topic-in-use", "Campaigns and their reports use this topic, so it can't be deleted.")

    public static let unknownTopic = Refusal(
        .invalid, "unknown-topic", field: "topic", "The app has no topic with this key. Create the topic first.")

    public static let categoryIdentifierTaken = Refusal(
        .conflict, "category-identifier-taken", field: "identifier",
        "The app already has a category with this identifier.")
}

// MARK: Content

extension Refusal {
    /// `reason` continues the sentence "The file …".
    public static func unsupportedMedia(_ reason: InvalidValue) -> Refusal {
        Refusal(.invalid, reason.code, "The file \(reason.message).")
    }

    public static func mediaTooLarge(_ type: MediaType) -> Refusal {
        Refusal(
            .tooLarge, "media-too-large",
            "The file is \(type.rawValue.uppercased()) and must be at most \(type.maximumSize / 1_000_000) MB: iOS shows "
                + "no larger \(type.kind.rawValue).")
    }

    public static func mediaInUse(template: String) -> Refusal {
        Refusal(
            .conflict, "media-in-use",
            "The template “\(template)” uses this file. Every version of a template stays readable, so the file can't be "
                + "deleted.")
    }

    public static let templateArchived = Refusal(
        .conflict, "template-archived", "The template is archived. Take it out of the archive first, or duplicate it.")

    public static let templateInUse = Refusal(
        .conflict, "template-in-use",
        "Campaigns use this template, so it can't be deleted. Archive it to remove it from the lists.")

    public static let segmentArchived = Refusal(
        .conflict, "segment-archived", "The segment is archived. Take it out of the archive first.")

    public static let segmentInUse = Refusal(
        .conflict, "segment-in-use",
        "Segments or campaigns use this segment, so it can't be deleted. Archive it to remove it from the lists.")
}

// MARK: Campaigns

extension Refusal {
    public static let campaignArchived = Refusal(
        .conflict, "campaign-archived", "The campaign is archived. Take it out of the archive first, or make a copy.")

    /// Scheduled and running campaigns stay in the lists.
    public static func campaignIsActive(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "campaign-active",
            "A campaign that is \(state.rawValue) can't be archived. "
                + (state == .scheduled ? "Unschedule it first." : "Cancel it first, or wait until it has finished."))
    }

    /// A campaign that was started is part of the ledger.
    public static func notADraft(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "not-a-draft",
            "Only a draft can be deleted, and this campaign is \(state.rawValue). "
                + (state == .scheduled ? "Unschedule it first." : "What was sent stays on record; archive it instead."))
    }

    /// A draft that was sent before it was unscheduled or failed.
    public static let hasRuns = Refusal(
        .conflict, "campaign-has-runs",
        "This campaign was sent before, and what was sent stays on record. Archive it instead.")

    public static let noSchedule = Refusal(
        .invalid, "schedule-missing", field: "schedule", "A scheduled campaign needs a schedule. Set one.")

    public static let schedulePast = Refusal(
        .invalid, "schedule-past", field: "schedule",
        "All times of this schedule are in the past. Set a later one, or start the campaign to send it now.")

    /// Starting a recurring campaign by hand would end its rule.
    public static func isRecurring(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "campaign-is-recurring",
            "A recurring campaign starts by its schedule\(state == .scheduled ? "" : ": schedule it"). To send it now as "
                + "well, duplicate it, remove the schedule from the copy and start the copy.")
    }

    /// The same for a triggered one.
    public static func isTriggered(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "campaign-is-triggered",
            "A campaign with a schedule of the kind “triggered” starts by API calls: "
                + (state == .scheduled ? "trigger it." : "schedule it, then trigger it."))
    }

    public static let valuesNeedTemplate = Refusal(
        .invalid, "incompatible-with-payload", field: "values",
        "The campaign has a payload, which is sent unchanged. Leave out `values`, or give the campaign a template.")

    public static let notTriggered = Refusal(
        .conflict, "not-triggered",
        "Only a scheduled campaign with a schedule of the kind “triggered” can be triggered.")

    public static let schedulePaused = Refusal(
        .conflict, "campaign-paused", "The campaign is paused, so it can't be triggered. Resume it first.")

    public static let nothingToSkip = Refusal(
        .conflict, "nothing-to-skip", "The schedule has no other occurrence that could be skipped.")

    public static let audienceEmpty = Refusal(
        .conflict, "audience-empty", "No device matches the audience, so there is nothing to send.")

    /// The campaign was started and refused at its start, so nothing was sent.
    public static func startRefused(_ reason: String) -> Refusal {
        Refusal(.conflict, "start-refused", reason)
    }

    /// A forecast is about a start in the future.
    public static func alreadyStarted(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "campaign-already-started",
            "A forecast is for a campaign that has not started, and this one is \(state.rawValue).")
    }

    public static let runFinished = Refusal(
        .conflict, "run-finished", "The run has finished and can't be changed any more.")
}
