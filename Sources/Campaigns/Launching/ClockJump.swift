/// Notices that the database's clock is suddenly ahead. Often it is set right within seconds, and what has started
/// until then has started too early: a push can't be called back. Pure.
public struct ClockJump: Sendable {
    /// Seconds by which the clock may be ahead of what is expected.
    public static let tolerance = 60.0
    /// For how long a clock that is ahead must go on before it is believed.
    public static let patience = Duration.seconds(10)

    private var last: (clock: Double, at: Duration)?
    /// When the clock was first seen ahead.
    private var suspectedAt: Duration?

    public init() {}

    /// Whether to believe the clock. `clock` is in seconds since 1970, `at` by a clock of this machine that nobody sets.
    public mutating func believes(_ clock: Double, at moment: Duration) -> Bool {
        let ahead = last.map { clock - $0.clock - (moment - $0.at) / .seconds(1) } ?? 0
        guard ahead <= Self.tolerance || suspectedAt.map({ moment - $0 >= Self.patience }) == true else {
            suspectedAt = suspectedAt ?? moment
            return false
        }
        last = (clock, moment)
        suspectedAt = nil
        return true
    }
}
