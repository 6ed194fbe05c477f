import Campaigns
import EventLoop
import Metrics

/// Metrics of sending: a few calls for each flush of a batch, none per push. Without a bootstrapped metrics system they
/// do nothing.
struct DispatchMetrics: Sendable {
    enum Name {
        /// Counts recipients, by the "kind" and the "reason" of their outcome, when it is stored.
        static let outcomes = "belfry_push_outcomes"
        /// Measures how long PostgreSQL takes to store a batch's progress.
        static let flushes = "belfry_batch_flush_duration_seconds"
        /// Counts batches that were taken over from another process.
        static let takeovers = "belfry_batch_takeovers"
        /// Counts batches that this process has lost to another.
        static let lost = "belfry_batches_lost"
        /// Measures how long a step of planning takes.
        static let planning = "belfry_planning_step_duration_seconds"
        /// Counts runs by how they ended: whether their ledger was verified.
        static let runs = "belfry_runs_finished"
        /// Counts steps of maintenance that failed, and dates the last round in which none did.
        static let maintenanceFailures = "belfry_maintenance_failures"
        static let maintained = "belfry_maintenance_last_success_timestamp_seconds"
    }

    /// By the code of the outcome.
    private let outcomes = Lock([Counter?](repeating: nil, count: OutcomeCode.limit))
    private let flushes: Timer
    private let planning: Timer
    private let verified: Counter
    private let unverified: Counter
    private let factory: any MetricsFactory
    private let takeovers: Counter
    private let lost: Counter
    private let maintenanceFailures: Counter
    private let maintained: Gauge

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        // With 0 before the codes have been read: a rule can tell "none" from "not known".
        for kind in OutcomeKind.allCases where kind != .pending {
            _ = Counter(label: Name.outcomes, dimensions: [("kind", kind.rawValue), ("reason", "")], factory: factory)
        }
        flushes = Timer(label: Name.flushes, preferredDisplayUnit: .milliseconds, factory: factory)
        planning = Timer(label: Name.planning, preferredDisplayUnit: .milliseconds, factory: factory)
        takeovers = Counter(label: Name.takeovers, factory: factory)
        lost = Counter(label: Name.lost, factory: factory)
        maintenanceFailures = Counter(label: Name.maintenanceFailures, factory: factory)
        maintained = Gauge(label: Name.maintained, factory: factory)
        verified = Counter(label: Name.runs, dimensions: [("ledger", "verified")], factory: factory)
        unverified = Counter(label: Name.runs, dimensions: [("ledger", "wrong")], factory: factory)
    }

    /// The meaning of a code, before it is counted. Pending is no outcome.
    func know(_ code: UInt8, _ kind: OutcomeKind, reason: String) {
        guard kind != .pending, Int(code) < OutcomeCode.limit else { return }
        let counter = Counter(
            label: Name.outcomes, dimensions: [("kind", kind.rawValue), ("reason", reason)], factory: factory)
        outcomes.withLock { $0[Int(code)] = counter }
    }

    /// Counts what a flush has added to a batch's outcomes. A recipient that was unknown and is resent counts twice.
    func stored(_ now: OutcomeCounts, after earlier: OutcomeCounts) {
        outcomes.withLock { counters in
            for (code, counter) in counters.enumerated() {
                let added = now[UInt8(code)] - earlier[UInt8(code)]
                if added > 0 { counter?.increment(by: added) }
            }
        }
    }

    func flushTook(_ duration: Duration) { flushes.recordSeconds(duration.seconds) }
    func tookOver() { takeovers.increment() }
    func batchLost() { lost.increment() }
    func maintenanceFailed() { maintenanceFailures.increment() }
    func planningTook(_ duration: Duration) { planning.recordSeconds(duration.seconds) }
    /// `now` is in seconds since 1970.
    func maintained(at now: Double) { maintained.record(now) }
    func runFinished(isVerified: Bool) { (isVerified ? verified : unverified).increment() }
}
