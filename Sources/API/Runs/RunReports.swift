import Campaigns
import EventLoop
import Postgres
import Store

/// Makes reports of runs, for any number of readers. What costs is kept: the tally of the reasons is read on from
/// where it stood, and responses are counted again when the last count is old for what it cost.
final class RunReports: Sendable {
    /// How old a report for those may be who look again and again; also the least time between two of one run.
    static let freshness = Duration.milliseconds(200)
    /// Runs of which something is kept, and for how long after the last look.
    static let maximumRuns = 64
    static let keptFor = Duration.seconds(60)

    private struct Known {
        var tally = ReasonTally()
        var responses = PacedCount<RunResponses>()
        var report: RunReport?
        var taken: MonotonicTime
    }

    private let runs: RunStore
    private let known = Lock<[Run.ID: Known]>([:])

    init(runs: RunStore) {
        self.runs = runs
    }

    /// As it is now. Only the responses may be older: by some twenty times of what it takes to count them.
    func report(_ id: Run.ID, app: App.ID) async throws -> RunReport {
        let run = try await runs.find(id, app: app)
        var tally = makeRoom(for: id).tally
        try await runs.update(&tally, of: id)
        let responses = try await responses(to: id)
        let report = RunReport(run: run, reasons: tally.reasons, responses: responses)
        known.withLock { known in
            known[id]?.tally = tally
            known[id]?.report = report
            known[id]?.taken = .now()
        }
        return report
    }

    /// At most `freshness` old.
    func recentReport(_ id: Run.ID, app: App.ID) async throws -> RunReport {
        let known = known.withLock { $0[id] }
        if let known, let report = known.report, report.run.app == app, known.taken > .now() - Self.freshness {
            return report
        }
        return try await report(id, app: app)
    }

    /// Nil while another reader makes the first count, or when counting takes too long.
    private func responses(to id: Run.ID) async throws -> RunResponses? {
        let began = MonotonicTime.now()
        let (mayCount, last) = known.withLock { known in
            (known[id]?.responses.begin(at: began) ?? true, known[id]?.responses.value)
        }
        guard mayCount else { return last }
        var counted: RunResponses?
        defer { known.withLock { $0[id]?.responses.end(counted, at: .now()) } }
        do {
            counted = try await runs.responses(id)
        } catch let error as PostgresError where error.kind == .deadline {
            // The pace keeps the next attempt away for long.
            return last
        }
        return counted
    }

    /// What is known of the run. It is kept from now on if there is room.
    private func makeRoom(for id: Run.ID) -> Known {
        let now = MonotonicTime.now()
        return known.withLock { known in
            if let found = known[id] { return found }
            if known.count >= Self.maximumRuns { known = known.filter { $0.value.taken > now - Self.keptFor } }
            let new = Known(taken: now)
            if known.count < Self.maximumRuns { known[id] = new }
            return new
        }
    }
}
