import Campaigns
import EventLoop
import Postgres
import Store

/// Makes reports of runs for any number of readers. Expensive parts are cached: the tally of reasons is continued from
/// its last position, and `ThrottledCount` limits how often unexpected reports are counted.
final class RunReports: Sendable {
    /// The maximum age of a cached report, and so the minimum time between two reports of one run for repeated readers.
    static let freshness = Duration.milliseconds(200)
    /// The maximum number of cached runs, and how long one stays cached after its last report.
    static let maximumRuns = 64
    static let retention = Duration.seconds(60)

    private struct CachedRun {
        var tally = ReasonTally()
        var unexpected = ThrottledCount<Int>()
        var report: RunReport?
        var taken: MonotonicTime
    }

    private let runs: RunStore
    private let cached = Lock<[Run.ID: CachedRun]>([:])

    init(runs: RunStore) {
        self.runs = runs
    }

    /// The current report. Only `unexpected` may be older: by about 20 times the duration of counting them.
    func report(_ id: Run.ID, app: App.ID) async throws -> RunReport {
        let run = try await runs.find(id, app: app)
        let variants = try await runs.variants(of: run.key)
        if run.recipientsDeletedAt != nil {
            return RunReport(
                run: run, variants: variants, reasons: try await runs.countedReasons(of: run.key), unexpected: nil)
        }
        var tally = cachedEntry(for: id).tally
        try await runs.update(&tally, of: run.key)
        let report = RunReport(
            run: run, variants: variants, reasons: tally.reasons, unexpected: try await unexpected(in: run.key))
        cached.withLock { cached in
            cached[id]?.tally = tally
            cached[id]?.report = report
            cached[id]?.taken = .now()
        }
        return report
    }

    /// A report that is at most `freshness` old.
    func recentReport(_ id: Run.ID, app: App.ID) async throws -> RunReport {
        let cached = cached.withLock { $0[id] }
        if let cached, let report = cached.report, report.run.app == app, cached.taken > .now() - Self.freshness {
            return report
        }
        return try await report(id, app: app)
    }

    /// Nil while another reader makes the first count, or if the first count takes too long.
    private func unexpected(in run: Run.Key) async throws -> Int? {
        let began = MonotonicTime.now()
        let (mayCount, last) = cached.withLock { cached in
            (cached[run.id]?.unexpected.begin(at: began) ?? true, cached[run.id]?.unexpected.value)
        }
        guard mayCount else { return last }
        var counted: Int?
        defer { cached.withLock { $0[run.id]?.unexpected.end(counted, at: .now()) } }
        do {
            counted = try await runs.unexpectedReports(run)
        } catch let error as PostgresError where error.kind == .deadline {
            // `ThrottledCount` delays the next attempt: this one took long.
            return last
        }
        return counted
    }

    /// The cached entry of the run. A new entry is stored only while fewer than `maximumRuns` are.
    private func cachedEntry(for id: Run.ID) -> CachedRun {
        let now = MonotonicTime.now()
        return cached.withLock { cached in
            if let found = cached[id] { return found }
            if cached.count >= Self.maximumRuns { cached = cached.filter { $0.value.taken > now - Self.retention } }
            let new = CachedRun(taken: now)
            if cached.count < Self.maximumRuns { cached[id] = new }
            return new
        }
    }
}
