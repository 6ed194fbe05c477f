/// The past of an app, from which the power of an A/B test is estimated.
public struct TestBasis: Equatable, Sendable {
    /// The median rate at which recent campaigns reached the goal; nil: there is none to learn from.
    public let rate: Double?
    /// Of the last 30 days: accepted pushes, and how many of them reached the goal. Nil for an event, which can also
    /// happen without a push.
    public let reports: Reports?
    /// Whether the app has ever had the event of the goal; true for other goals.
    public let hasEvent: Bool
    /// People per device, up to 1: some have several.
    public let peoplePerDevice: Double

    /// With a goal of values: of the people who had an amount in the same time. Nil: too few had.
    public let amounts: Amounts?

    public struct Amounts: Equatable, Sendable {
        /// Of the amounts, the largest hundredth counted as the smallest of these, and of their squares.
        public let mean, meanSquare: Double

        public init(mean: Double, meanSquare: Double) {
            (self.mean, self.meanSquare) = (mean, meanSquare)
        }
    }

    public struct Reports: Equatable, Sendable {
        public let accepted, reached: Int

        public init(accepted: Int, reached: Int) {
            (self.accepted, self.reached) = (accepted, reached)
        }
    }

    public init(
        rate: Double? = nil, reports: Reports? = nil, hasEvent: Bool = true, peoplePerDevice: Double = 1,
        amounts: Amounts? = nil
    ) {
        (self.rate, self.reports, self.hasEvent, self.peoplePerDevice) = (rate, reports, hasEvent, peoplePerDevice)
        self.amounts = amounts
    }
}
