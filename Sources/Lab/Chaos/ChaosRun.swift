import APNS
import APNSSimulator
import Belfry
import Campaigns
import Dispatcher
import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import Store

/// Runs one campaign with the faults of the schedule, from its start to the report.
struct ChaosRun {
    /// The deadline of a run, and its extension per million recipients.
    static let longest = Duration.seconds(180)
    static let longestPerMillion = Duration.seconds(240)
    private static let pollInterval = Duration.milliseconds(100)
    private static let batchesPerRead = 100

    let schedule: ChaosSchedule
    let policy: UnknownPolicy
    let environment: ChaosEnvironment
    let workers: ChaosWorkers
    let output: ChaosOutput
    let loop: EventLoop

    private var deadline: Duration { Self.longest + Self.longestPerMillion * environment.devices / 1_000_000 }

    func report() async throws -> ChaosReport {
        for slot in 0..<ChaosSchedule.workers { try await workers.start(slot) }
        _ = try await environment.campaigns.start(environment.campaign, app: environment.app)
        let injector = FaultInjector(
            environment: environment, schedule: schedule, workers: workers, output: output, on: loop)
        let end = MonotonicTime.now() + deadline
        var problems = try await follow(injector, until: end)
        // Workers store their outcomes before they end.
        await workers.end()
        problems += await workers.unexpectedExits
        return try await makeReport(problems, losses: await injector.losses)
    }

    // MARK: During the run

    /// Waits until the run has ended and all faults were injected, or the deadline has passed. Returns the problems.
    private func follow(_ injector: FaultInjector, until end: MonotonicTime) async throws -> [String] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { await injector.run() }
            let problem = try await untilFinished(injector, end)
            if problem != nil { group.cancelAll() }
            try await group.waitForAll()
            let failure = await injector.failure
            return [problem ?? failure].compactMap { $0 }
        }
    }

    /// Returns nil when the run has ended, otherwise the reason why it has not.
    private func untilFinished(_ injector: FaultInjector, _ end: MonotonicTime) async throws -> String? {
        var progress = ChaosProgress(of: environment.devices)
        while true {
            for slot in try await workers.replaceExitedWorkers() { output.log("worker \(slot + 1) ended unexpectedly") }
            if let failure = await injector.failure { return failure }
            do {
                let run = try await latestRun()
                if let run {
                    let answered = run.ledger.targeted - run.ledger[.pending]
                    await injector.progressed(to: answered)
                    if let line = progress.line(answered, now: .now()) { output.log(line) }
                }
                if let run, run.finishedAt != nil { return nil }
                if let run, run.state != .sending {
                    return "the run is \(run.state): \(run.reason ?? "no reason given")"
                }
                if MonotonicTime.now() >= end { return try await describeOpenWork(run) }
            } catch let error as PostgresError where error.isDatabaseUnavailable {
                if MonotonicTime.now() >= end {
                    return "not finished within \(deadline), database not available: \(error)"
                }
            }
            try await loop.sleep(for: Self.pollInterval)
        }
    }

    private func latestRun() async throws -> RunRecord? {
        try await environment.runs.list(
            campaign: environment.campaign, app: environment.app, before: nil, limit: 1
        ).first
    }

    private func describeOpenWork(_ run: RunRecord?) async throws -> String {
        guard let run else { return "the campaign did not start within \(deadline)" }
        let open = try await environment.audit.openBatches(of: run.id)
        return """
            not finished within \(deadline): \(open.ready) batches ready, \(open.leased) leased, \
            \(run.ledger[.pending].grouped) recipients pending\(run.plannedAt == nil ? ", planning not finished" : "")
            """
    }

    // MARK: After the run

    private func makeReport(_ problems: [String], losses: [ChaosReport.Loss]) async throws -> ChaosReport {
        let audit = environment.audit
        guard let run = try await latestRun() else { throw CommandFailure(problems.joined(separator: "; ")) }
        var ledger = ChaosLedger(codes: try await audit.codes())
        try await environment.eachTarget { _, target in
            let record = environment.apple.record.token(target.token)
            ledger.expect(
                target.device, accepted: Int(record.accepted),
                isRefused: record.lastStatus != 0 && record.lastStatus != 200)
        }
        var last = Batch.ID(rawValue: 0)
        while true {
            let pages = try await audit.batches(of: run.id, after: last, limit: Self.batchesPerRead)
            for page in pages { ledger.take(page.recipients, page.outcomes) }
            guard let end = pages.last else { break }
            last = end.batch
        }
        let streams = ChaosEnvironment.streams(devices: environment.devices)
        let differences = try await audit.countDifferences().map { "statistics differ from the rows: \($0)" }
        return ChaosReport(
            seed: schedule.seed, policy: policy, devices: environment.devices, run: run,
            sums: try await audit.sums(of: run.id), recount: ledger.recount, unknowns: ledger.unknowns,
            findings: ledger.findings(policy), apple: environment.apple.record.counts, losses: losses,
            unresolved: UnresolvedBudget.maximumOfCampaigns(of: DispatcherOptions().maximumUnresolved),
            streams: streams,
            problems: problems + differences)
    }
}
