/// Pauses between attempts: doubled from the first to the longest, each drawn from its upper half
/// so that many clients do not reconnect at the same time.
public struct Backoff: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    /// Attempts that have failed in a row.
    public private(set) var failures = 0

    public init(first: Duration = .milliseconds(50), longest: Duration = .seconds(5)) {
        self.first = first
        self.longest = longest
    }

    /// The pause before the next attempt.
    public mutating func failed() -> Duration {
        // 2^20 times the first pause always exceeds the longest.
        let pause = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        return pause * Double.random(in: 0.5...1)
    }

    public mutating func succeeded() {
        failures = 0
    }
}
