import EventLoop

/// Pauses between failed attempts: doubling, with 10% jitter so that many processes do not
/// retry at the same moment.
struct Backoff: Equatable {
    let shortest: Duration
    let longest: Duration
    private(set) var failures = 0
    private(set) var pausedUntil: MonotonicTime?

    init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
    }

    mutating func succeeded() {
        failures = 0
        pausedUntil = nil
    }

    /// `chance` is between 0 and 1.
    mutating func failed(at now: MonotonicTime, chance: Double) {
        let pause = min(longest, shortest * (1 << min(failures, 16)))
        failures += 1
        pausedUntil = now + pause * (0.9 + 0.2 * chance)
    }

    func isPaused(at now: MonotonicTime) -> Bool { pausedUntil.map { now < $0 } ?? false }
}
