import Campaigns
import EventLoop
import Metrics

/// What an operator's metrics system is told of the sending: a few calls for each flush of a batch, none for a push.
/// Where no system was bootstrapped they end in nothing.
struct DispatchMetrics: Sendable {
    enum Name {
        /// Counts recipients, by the "kind" of their outcome, when it is stored.
        static let outcomes = "belfry_push_outcomes"
        /// Times what PostgreSQL takes to store a batch's progress.
        static let flushes = "belfry_batch_flush_duration"
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

    /// A batch's stored counters were `earlier` and are `now`. What was unknown and is sent again counts twice.
    func stored(_ now: Ledger, after earlier: Ledger) {
        for (kind, counter) in outcomes where now[kind] > earlier[kind] {
            counter.increment(by: now[kind] - earlier[kind])
        }
    }

    func flushTook(_ duration: Duration) { flushes.recordSeconds(duration.seconds) }
}
