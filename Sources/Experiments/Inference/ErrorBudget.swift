/// How often an experiment without any difference may name a winner: five times of a hundred, of which four are for the
/// decision at its fixed time and one for all looks before. Without a fixed time all five are for the looks.
public enum ErrorBudget: Equatable, Sendable {
    /// At the time that was fixed before the start.
    case decision
    /// A look before that time.
    case live
    /// A look at an experiment that has no such time.
    case openEnded

    public static let total = 0.05

    public var alpha: Double {
        switch self {
        case .decision: 0.04
        case .live: 0.01
        case .openEnded: Self.total
        }
    }

    /// For the intervals between the leader and each of the others. An error is one of K − 1 one-sided errors against
    /// the true best; K/2 also covers ties.
    public func alpha(variants count: Int) -> Double { 2 * alpha / Double(max(2, count)) }

    /// The interval of a difference, among `count` variants. Nil while there is nothing to say.
    public func interval(_ difference: Difference, variants count: Int) -> Interval? {
        switch self {
        case .decision: difference.interval(Normal.critical(alpha(variants: count)))
        case .live, .openEnded: difference.liveInterval(alpha(variants: count))
        }
    }
}
