import HTTPTypes
import JSON

/// Values of parameters that can't be used.
extension APIError {
    // MARK: Of many routes

    static func notOneOf(_ values: String, _ name: String) -> APIError {
        badRequest("invalid-\(name)", "The parameter \(name) must be one of \(values).", field: name)
    }

    static func invalidState(_ states: String) -> APIError {
        badRequest("invalid-state", "The state must be one of \(states).", field: "state")
    }

    static func notTrueOrFalse(_ name: String) -> APIError {
        badRequest("invalid-parameter", "The parameter \(name) must be true or false.", field: name)
    }

    /// The same, of the routes of templates.
    static func invalidFlag(_ name: String) -> APIError {
        badRequest("invalid-flag", "The parameter \(name) must be true or false.", field: name)
    }

    static func invalidLimit(_ range: ClosedRange<Int>) -> APIError {
        badRequest(
            "invalid-limit", "The limit must be a whole number from \(range.lowerBound) to \(range.upperBound).",
            field: "limit")
    }

    static let invalidCursor = badRequest(
        "invalid-cursor", "The cursor must be a next_cursor that this list returned for the same filters.",
        field: "cursor")

    static func invalidSearch(maximumLength: Int) -> APIError {
        badRequest(
            "invalid-search", "The search text must be at most \(maximumLength) characters, without U+0000.",
            field: "search")
    }

    static func invalidTime(_ name: String) -> APIError {
        badRequest(
            "invalid-time",
            "The parameter \(name) must be a time like 2026-11-21T10:00:00Z, or a date like 2026-11-21.", field: name)
    }

    static func invalidDays(_ name: String, _ range: ClosedRange<Int>) -> APIError {
        badRequest(
            "invalid-days",
            "The parameter \(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).", field: name
        )
    }

    static let unknownFormat = badRequest(
        "unknown-format", "The format must be csv or ndjson.", field: "format")

    // MARK: Keys and content

    static func invalidPrefix(maximumLength: Int) -> APIError {
        badRequest(
            "invalid-prefix",
            "The prefix must be at most the first \(maximumLength) characters of a key: the rest is secret.",
            field: "prefix")
    }

    static func invalidName(_ reason: Message) -> APIError {
        badRequest("invalid-name", "The name \(reason).", field: "name")
    }

    static func invalidName(maximumLength: Int) -> APIError {
        badRequest("invalid-name", "The name must be 1 to \(maximumLength) characters.", field: "name")
    }

    static let invalidVersion = badRequest(
        "invalid-version", "The version must be a whole number from 1.", field: "version")

    static let localeMissing = badRequest(
        "locale-missing", "The parameter locale is required for language=strings, for example locale=de.",
        field: "locale")

    static let invalidForm = badRequest(
        "invalid-form", "Content extensions require iOS 10, so info_plist is only available with form=un.",
        field: "form")

    // MARK: Devices and people

    static func invalidInstallation(_ rule: Message) -> APIError {
        badRequest("invalid-installation", "The installation \(rule).", field: "installation")
    }

    static func unknownKind(_ kinds: String) -> APIError {
        badRequest("unknown-kind", "The kind must be one of \(kinds).", field: "kind")
    }

    static func activityMissing(of kind: String) -> APIError {
        badRequest(
            "invalid-activity", "The query parameter activity is required with the kind \(kind).", field: "activity")
    }

    static func activityUnexpected(without kind: String) -> APIError {
        badRequest(
            "invalid-activity", "The query parameter activity can only be combined with the kind \(kind).",
            field: "activity")
    }

    static func invalidActivity(maximumLength: Int) -> APIError {
        badRequest(
            "invalid-activity", "The activity must be at most \(maximumLength) bytes, without U+0000.",
            field: "activity")
    }

    static func invalidUserID(_ reason: Message) -> APIError {
        badRequest("invalid-user-id", "The user ID \(reason).", field: "user_id")
    }

    static let campaignRequired = badRequest(
        "campaign-required", "Add the parameter campaign, or run for one of its runs.", field: "campaign")

    static func tooManyDevices(limit: Int) -> APIError {
        APIError(
            .unprocessableContent, "too-many-devices",
            "Each of the targets has more than \(limit) devices. Send to single installations instead.",
            field: "user_ids")
    }

    // MARK: Recipients and statistics

    static func invalidOutcome(_ kinds: String) -> APIError {
        badRequest("invalid-outcome", "The outcome must be one of \(kinds).", field: "outcome")
    }

    static func invalidProperty(_ name: String, maximumLength: Int) -> APIError {
        badRequest(
            "invalid-\(name.replacing("_", with: "-"))",
            "The parameter \(name) must be at most \(maximumLength) bytes, without U+0000.", field: name)
    }

    static func invalidCampaigns(maximum: Int) -> APIError {
        badRequest(
            "invalid-campaigns", "The parameter campaigns must be 1 to \(maximum) ids, like 3,17.", field: "campaigns")
    }

    static func invalidVariant(maximum: Int) -> APIError {
        badRequest(
            "invalid-variant", "The parameter variant must be the place of a variant, from 0 to \(maximum).",
            field: "variant")
    }

    static let invalidRun = badRequest("invalid-run", "The parameter run must be the id of a run.", field: "run")

    static let runRequired = badRequest(
        "run-required",
        "Minutes and variants are counted for each run. Add the parameter run, or choose hour or day without a variant.",
        field: "run")

    static let campaignsRequired = badRequest(
        "campaigns-required", "Variants and languages belong to a campaign. Add the parameter campaigns or run.",
        field: "campaigns")

    static let unknownTimeZone = badRequest(
        "unknown-time-zone", "The parameter time_zone must be a name like Europe/Berlin.", field: "time_zone")

    static let periodWithoutTime = badRequest(
        "invalid-period", "The time since must be before until.", field: "since")

    static func periodTooLong(maximumDays days: Int64) -> APIError {
        badRequest(
            "invalid-period", "The time from since to until can be at most \(days) days here.", field: "since")
    }
}
