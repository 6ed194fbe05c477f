public import JSON

/// Apple's answer about a signing key in one environment, with the action to take.
public struct CredentialFinding: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        /// Apple knows the key, and it may send pushes for the app.
        case accepted
        /// The key, its IDs or the bundle ID are wrong: every push would be rejected.
        case rejected
        /// Apple was not reached, or did not say.
        case unknown
    }

    public let environment: PushEnvironment
    public let outcome: Outcome
    public let host: String
    /// The HTTP status; nil without an answer.
    public let status: Int?
    /// Apple's reason for a rejection.
    public let reason: String?
    public let meaning: Message
    /// The action to take; nil for none.
    public let remedy: Message?

    public init(
        environment: PushEnvironment, outcome: Outcome, host: String, status: Int? = nil, reason: String? = nil,
        meaning: Message, remedy: Message? = nil
    ) {
        self.environment = environment
        self.outcome = outcome
        self.host = host
        self.status = status
        self.reason = reason
        self.meaning = meaning
        self.remedy = remedy
    }
}
