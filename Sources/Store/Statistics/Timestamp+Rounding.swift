public import Postgres

extension Timestamp {
    private static let day = Duration.seconds(86_400)

    /// The nearest midnight in UTC; of two, the later one.
    public var nearestMidnight: Timestamp { (self + Self.day / 2).roundedDown(to: Self.day) }

    /// The last moment, at or before this one, that is a whole number of steps since 1970.
    public func roundedDown(to step: Duration) -> Timestamp {
        let length = step.microseconds
        let rest = microseconds % length
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + length : rest))
    }

    /// The first moment, at or after this one, that is a whole number of steps since 1970.
    public func roundedUp(to step: Duration) -> Timestamp {
        let down = roundedDown(to: step)
        return down == self ? self : down + step
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
