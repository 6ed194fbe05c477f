import EventLoop

/// Decides when another connection may be opened: not in bursts, and not too soon after failures. A value type: the
/// client reports what happened.
///
/// Docs/decisions/apple.md explains when a connection is good.
struct ConnectPolicy: Equatable {
    private let maximum: Int
    private let spacing: Duration
    private var backoff: Backoff
    private var pausedUntil: MonotonicTime?
    private var lastBegan: MonotonicTime?
    private var lastFailure = "none"

    init(options: APNSOptions) {
        maximum = options.maximumConnections
        spacing = options.connectionSpacing
        backoff = Backoff(first: options.shortestPause, longest: options.longestPause)
    }

    /// Whether another connection may be opened beside `count` open ones, of which `unverified` have not answered yet.
    func mayOpen(beside count: Int, unverified: Int, at now: MonotonicTime) -> Bool {
        guard count < maximum, pauseReason(at: now) == nil else { return false }
        // After a failure, only one connection is tried.
        guard backoff.failures == 0 || unverified == 0 else { return false }
        return spacingLeft(at: now) == nil
    }

    /// The reason of the last failure while its pause lasts.
    func pauseReason(at now: MonotonicTime) -> String? { isPaused(at: now) ? lastFailure : nil }

    /// The time until the next connection may be opened; nil if it may be opened now.
    func spacingLeft(at now: MonotonicTime) -> Duration? {
        guard let lastBegan, pauseReason(at: now) == nil else { return nil }
        let left = lastBegan + spacing - now
        return left > .zero ? left : nil
    }

    mutating func began(at now: MonotonicTime) { lastBegan = now }

    mutating func succeeded() {
        backoff.succeeded()
        pausedUntil = nil
    }

    /// An attempt failed, or a connection ended before its first answer. Several that end together are one failure.
    mutating func failed(because reason: String, at now: MonotonicTime) {
        lastFailure = reason
        guard !isPaused(at: now) else { return }
        pausedUntil = now + backoff.failed()
    }

    private func isPaused(at now: MonotonicTime) -> Bool { pausedUntil.map { now < $0 } ?? false }
}
