import EventLoop

/// When another connection may be opened: no bursts of them, and after failures not too soon. A value: the client tells it
/// what happened.
struct ConnectionOpening: Equatable {
    private let maximum: Int
    private let spacing: Duration
    private var backoff: Backoff
    private var lastBegan: MonotonicTime?
    private var lastFailure = "none"

    init(options: APNSOptions) {
        maximum = options.maximumConnections
        spacing = options.connectionSpacing
        backoff = Backoff(shortest: options.shortestPause, longest: options.longestPause)
    }

    /// Whether to open another one beside so many, of which some have not answered yet.
    func isWelcome(beside count: Int, unproven: Int, at now: MonotonicTime) -> Bool {
        guard count < maximum, pauseReason(at: now) == nil else { return false }
        // After a failure one is tried, and not four.
        guard backoff.failures == 0 || unproven == 0 else { return false }
        return spacingLeft(at: now) == nil
    }

    /// What failed last, while nothing may be opened for it.
    func pauseReason(at now: MonotonicTime) -> String? { backoff.isPaused(at: now) ? lastFailure : nil }

    /// How long the last one is too short ago; nil when it is not.
    func spacingLeft(at now: MonotonicTime) -> Duration? {
        guard let lastBegan, pauseReason(at: now) == nil else { return nil }
        let left = lastBegan + spacing - now
        return left > .zero ? left : nil
    }

    mutating func began(at now: MonotonicTime) { lastBegan = now }

    mutating func succeeded() { backoff.succeeded() }

    /// An attempt failed, or a connection ended before its first answer. Several that end together are one failure.
    /// `chance` is from 0 to 1.
    mutating func failed(because words: String, at now: MonotonicTime, chance: Double) {
        lastFailure = words
        guard !backoff.isPaused(at: now) else { return }
        backoff.failed(at: now, chance: chance)
    }
}
