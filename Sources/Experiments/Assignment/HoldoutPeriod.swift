/// The part of an app's people who get no campaigns for a while, so that one sees what campaigns cause.
public struct HoldoutPeriod: Equatable, Sendable {
    /// The first digit that is out, from 0 to 999.
    public let from: Int
    /// Thousandths of all people.
    public let share: Int

    public init(from: Int, share: Int) {
        (self.from, self.share) = (from, share)
    }

    /// Whether a person with this digit is held out.
    public func contains(_ digit: Int) -> Bool { (digit - from + 1_000) % 1_000 < share }

    /// The period after this one, in which others are out: with 50 thousandths nobody twice in twenty periods.
    public func next(share: Int? = nil) -> HoldoutPeriod {
        HoldoutPeriod(from: (from + self.share) % 1_000, share: share ?? self.share)
    }
}
