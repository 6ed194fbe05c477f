import APNS
import APNSSimulator
import Campaigns
import EventLoop
import Foundation
import Logging
import Postgres
import Store

/// One campaign under everything that the schedule has in store, from its start to the report.
struct ChaosRun {
    /// Everything is over after this, and so much more for each million recipients.
    static let longest = Duration.seconds(180)
    static let longestPerMillion = Duration.seconds(240)
    private static let look = Duration.milliseconds(100)
    private static let batchesPerRead = 100

    let schedule: ChaosSchedule
    let policy: UnknownPolicy
    let world: ChaosWorld
    let crew: ChaosCrew
    let output: ChaosOutput
    let loop: EventLoop

    private var deadline: Duration { Self.longest + Self.longestPerMillion * world.devices / 1_000_000 }

    func report() async throws -> ChaosReport {
        for place in 0..<ChaosSchedule.workers { try await crew.start(place) }
        _ = try await world.campaigns.start(world.campaign, app: world.app)
        let conductor = ChaosConductor(world: world, schedule: schedule, crew: crew, output: output, on: loop)
        let end = MonotonicTime.now() + deadline
        var troubles = try await follow(conductor, until: end)
        // What they hold is stored before anything is read.
        await crew.end()
        troubles += await crew.deserters
        return try await judge(troubles, losses: await conductor.losses)
    }

    // MARK: While it lasts

    /// Returns what went wrong, once the run has ended and the schedule was carried out, or its time is over.
    private func follow(_ conductor: ChaosConductor, until end: MonotonicTime) async throws -> [String] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { await conductor.run() }
            let trouble = try await untilFinished(conductor, end)
            if trouble != nil { group.cancelAll() }
            try await group.waitForAll()
            let failure = await conductor.failure
            return [trouble ?? failure].compactMap { $0 }
        }
    }

    /// Nil when the run has ended, else what keeps it from its end.
    private func untilFinished(_ conductor: ChaosConductor, _ end: MonotonicTime) async throws -> String? {
        var progress = ChaosProgress(of: world.devices)
        while true {
            for place in try await crew.replaceDeserters() { output.tell("worker \(place + 1) has ended by itself") }
            if let failure = await conductor.failure { return failure }
            do {
                let run = try await world.runs.list(campaign: world.campaign, app: world.app, before: nil, limit: 1)
                    .first
                if let run {
                    let answered = run.ledger.targeted - run.ledger[.pending]
                    await conductor.progressed(to: answered)
                    if let line = progress.line(answered, now: .now()) { output.tell(line) }
                }
                if let run, run.finishedAt != nil { return nil }
                if let run, run.state != .sending {
                    return "the run is \(run.state): \(run.reason ?? "no reason given")"
                }
                if MonotonicTime.now() >= end { return try await whatIsOpen(run) }
            } catch let error as PostgresError where error.meansAbsence {
                if MonotonicTime.now() >= end { return "no end within \(deadline), and no database: \(error)" }
            }
            try await loop.sleep(for: Self.look)
        }
    }

    private func whatIsOpen(_ run: RunRecord?) async throws -> String {
        guard let run else { return "the campaign did not start within \(deadline)" }
        let open = try await world.audit.openBatches(of: run.id)
        return """
            no end within \(deadline): \(open.ready) batches ready, \(open.leased) leased, \
            \(run.ledger[.pending].grouped) recipients pending\(run.plannedAt == nil ? ", not planned to the end" : "")
            """
    }

    // MARK: Afterwards

    private func judge(_ troubles: [String], losses: [ChaosReport.Loss]) async throws -> ChaosReport {
        let audit = world.audit
        guard let run = try await world.runs.list(campaign: world.campaign, app: world.app, before: nil, limit: 1).first
        else { throw CommandFailure(troubles.joined(separator: "; ")) }
        var ledger = ChaosLedger(codes: try await audit.codes())
        try await world.eachTarget { _, target in
            let there = world.apple.record.token(target.token)
            ledger.expect(
                target.device, accepted: Int(there.accepted),
                isRefused: there.lastStatus != 0 && there.lastStatus != 200)
        }
        var last = Batch.ID(rawValue: 0)
        while true {
            let pages = try await audit.batches(of: run.id, after: last, limit: Self.batchesPerRead)
            for page in pages { ledger.take(page.recipients, page.outcomes) }
            guard let end = pages.last else { break }
            last = end.batch
        }
        let streams = ChaosWorld.streams(devices: world.devices)
        return ChaosReport(
            seed: schedule.seed, policy: policy, devices: world.devices, run: run,
            sums: try await audit.sums(of: run.id), recount: ledger.recount, unknowns: ledger.unknowns,
            findings: ledger.findings(policy), apple: world.apple.record.counts, losses: losses,
            window: min(PushWindow.maximumCount, streams), streams: streams, troubles: troubles)
    }
}
