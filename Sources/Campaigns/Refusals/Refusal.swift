public import JSON

/// A request that is valid but not carried out: expected, and explained to the person who asked.
///
/// A new refusal is one static member in the file of its subject beside this one. Nothing else lists them: the API takes
/// status, code, field and message from here. Errors that only HTTP knows are members of `APIError`.
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
    public let message: Message
    /// The member or header at fault; nil when it is the request as a whole.
    public let field: String?

    public init(_ kind: Kind, _ code: String, field: String? = nil, _ message: Message) {
        self.kind = kind
        self.code = code
        self.field = field
        self.message = message
    }

    public var description: String { message.description }

    /// Lets `catch Refusal.schedulePast` match.
    public static func ~= (pattern: Refusal, error: any Error) -> Bool {
        error as? Refusal == pattern
    }
}

/// Of any resource.
extension Refusal {
    public static func notFound(_ resource: Resource) -> Refusal {
        Refusal(.notFound, "\(resource.rawValue)-not-found", "There is no such \(resource.noun).")
    }

    /// For parameters that restrict what is counted or listed to campaigns.
    public static func campaignsNotFound(_ ids: [Campaign.ID]) -> Refusal {
        let names = ids.map(\.description).list
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
        let message: Message =
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
