public import JSON

/// Apple's last answer for which recipients wait: their pushes are sent again later.
public struct LastAnswer: Hashable, Sendable {
    /// As Apple sent it, like TooManyProviderTokenUpdates.
    public let reason: String
    public let at: Instant

    public init(reason: String, at: Instant) {
        self.reason = reason
        self.at = at
    }

    public var answer: AppleAnswer { AppleAnswer(temporary: reason) }

    /// Why a run or a push waits, for a person.
    public var text: Message {
        "Apple's last answer was \(answer.name). Belfry sends again by itself."
    }
}
