/// The number of pushes over time: batches wait in a queue, in the order in which they are due, and are sent at the
/// slowest rate limit.
public struct Forecast: Hashable, Sendable {
    /// Recipients who are due together.
    public struct Group: Hashable, Sendable {
        public var dueAt: Int
        public var count: Int
        /// Recipients not served by then are expired; nil for never.
        public var expiresAt: Int?
        /// Recipients not served by then are re-evaluated, because quiet hours begin or a local time is too late.
        public var notAfter: Int?
        /// The index of their timing in `PlanTimings`, for the re-evaluation.
        public var index: Int
        /// Whether they are counted in `held` already.
        public var isHeld: Bool

        public init(
            dueAt: Int, count: Int, expiresAt: Int? = nil, notAfter: Int? = nil, index: Int = 0, isHeld: Bool = false
        ) {
            self.dueAt = dueAt
            self.count = count
            self.expiresAt = expiresAt
            self.notAfter = notAfter
            self.index = index
            self.isHeld = isHeld
        }
    }

    /// `count` pushes sent evenly from one moment to a later one.
    public struct Step: Hashable, Sendable {
        public var from: Int
        public var to: Int
        public var count: Int
    }

    public struct Reason: Hashable, Sendable {
        /// The reason as the ledger names it.
        public var reason: String
        public var count: Int

        public init(_ reason: String, _ count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    /// Intervals of constant rate, without intervals in which nothing is sent.
    public let timeline: [Step]
    /// Pushes that are sent.
    public let sent: Int
    /// Pushes that would be too late.
    public let expired: Int
    /// Pushes a second.
    public let rate: Int
    /// Recipients who are due later than the schedule says, by reason; included in `sent` and `expired`.
    public let held: [Reason]
    /// Recipients who are suppressed, by reason.
    public let suppressed: [Reason]
    /// The occurrences after this one, if the schedule repeats; at most `maximumNextOccurrences`.
    public let nextOccurrences: [Occurrence]

    /// When the first push is sent; nil if none is sent.
    public var startsAt: Int? { timeline.first?.from }
    /// When the last push has been sent.
    public var endsAt: Int? { timeline.last?.to }

    public static let maximumNextOccurrences = 5
}

/// The rate limits of a forecast.
public struct ForecastRates: Hashable, Sendable {
    /// Pushes a second; nil for no limit.
    public var campaign: Int?
    public var app: Int?
    /// The rate without a limit, measured or assumed.
    public var unlimited: Int

    public init(campaign: Int?, app: Int?, unlimited: Int) {
        self.campaign = campaign
        self.app = app
        self.unlimited = unlimited
    }

    private static let range = 1...1_000_000

    var slowest: Int {
        let slowest = min(campaign ?? .max, app ?? .max, unlimited)
        return min(max(slowest, Self.range.lowerBound), Self.range.upperBound)
    }
}
