/// When how many pushes go: the batches wait in a queue in the order in which they are due, and leave it as fast as the
/// slowest rate allows.
public struct Forecast: Hashable, Sendable {
    /// Recipients who are due together.
    public struct Group: Hashable, Sendable {
        public var dueAt: Int
        public var count: Int
        /// Who has not gone by then does not go any more; nil for never.
        public var expiresAt: Int?
        /// Who has not gone by then is judged anew: it would be quiet where he is, or too late.
        public var notAfter: Int?
        /// Which clock they have, for that.
        public var place: Int
        /// They are among the held already.
        public var isHeld: Bool

        public init(
            dueAt: Int, count: Int, expiresAt: Int? = nil, notAfter: Int? = nil, place: Int = 0, isHeld: Bool = false
        ) {
            self.dueAt = dueAt
            self.count = count
            self.expiresAt = expiresAt
            self.notAfter = notAfter
            self.place = place
            self.isHeld = isHeld
        }
    }

    /// So many go evenly between two moments, of which the second is the later.
    public struct Step: Hashable, Sendable {
        public var from: Int
        public var to: Int
        public var count: Int
    }

    public struct Reason: Hashable, Sendable {
        /// The ledger's word.
        public var reason: String
        public var count: Int

        public init(_ reason: String, _ count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    /// Times between which nothing changes, without those in which nothing goes.
    public let timeline: [Step]
    /// Pushes that go.
    public let sent: Int
    /// Those that would come too late.
    public let expired: Int
    /// Pushes a second.
    public let rate: Int
    /// Those who are due later than the schedule says, and why; they are among the sent and the expired.
    public let held: [Reason]
    /// Those who do not get it, and why.
    public let suppressed: [Reason]
    /// What comes after this one, where the schedule repeats; at most `laterCount`.
    public let later: [Occurrence]

    /// When the first goes; nil when nobody does.
    public var startsAt: Int? { timeline.first?.from }
    /// When the last has gone.
    public var endsAt: Int? { timeline.last?.to }

    public static let laterCount = 5
}

/// How fast pushes may go.
public struct ForecastRates: Hashable, Sendable {
    /// Pushes a second; nil for no limit.
    public var campaign: Int?
    public var app: Int?
    /// What is sent without any limit, as measured or assumed.
    public var unpaced: Int

    public init(campaign: Int?, app: Int?, unpaced: Int) {
        self.campaign = campaign
        self.app = app
        self.unpaced = unpaced
    }

    private static let range = 1...1_000_000

    var slowest: Int {
        let slowest = min(campaign ?? .max, app ?? .max, unpaced)
        return min(max(slowest, Self.range.lowerBound), Self.range.upperBound)
    }
}
