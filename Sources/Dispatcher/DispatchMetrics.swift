import Campaigns
import EventLoop
import Metrics

/// Metrics of sending: a few calls for each flush of a batch, none per push. Without a bootstrapped metrics system they
/// do nothing.
struct DispatchMetrics: Sendable {
    enum Name {
        /// Counts recipients, by the "kind" of their outcome, when it is stored.
        static let outcomes = "belfry_push_outcomes"
        /// Measures how long PostgreSQL takes to store a batch's progress.
        static let flushes = "belfry_batch_flush_duration_seconds"
    }

    private let outcomes: [(kind: OutcomeKind, counter: Counter)]
    private let flushes: Timer

    init(_ factory: any MetricsFactory) {
        // Pending is no outcome.
        outcomes = OutcomeKind.allCases.filter { $0 != .pending }.map { kind in
            (kind, Counter(label: Name.outcomes, dimensions: [("kind", kind.rawValue)], factory: factory))
        }
        flushes = Timer(label: Name.flushes, preferredDisplayUnit: .milliseconds, factory: factory)
    }

    /// Counts the difference between two stored ledgers of a batch. A recipient that was unknown and is resent counts
    /// twice.
    func stored(_ now: Ledger, after earlier: Ledger) {
        for (kind, counter) in outcomes where now[kind] > earlier[kind] {
            counter.increment(by: now[kind] - earlier[kind])
        }
    }

    func flushTook(_ duration: Duration) { flushes.recordSeconds(duration.seconds) }
}
