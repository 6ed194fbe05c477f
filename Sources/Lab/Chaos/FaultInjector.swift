import APNSSimulator
import Belfry
import Campaigns
import EventLoop
import Postgres
import PrivatePostgres
import Store

/// Injects the process faults of the schedule: waits until enough recipients have their outcome, injects the next
/// fault, and records the batches that each lost worker held.
actor FaultInjector {
    /// A killed worker is restarted after this time.
    private static let restartDelay = Duration.seconds(1)
    /// Twice the lease, so that the other workers have taken over by then.
    private static let pauseDuration = ChaosWorkers.lease * 2
    private static let pollInterval = Duration.milliseconds(50)
    /// The maximum wait for a condition; afterwards the fault is injected anyway.
    private static let timeout = Duration.seconds(10)
    /// Longer than a process counts as running that says nothing.
    private static let killedCount = Duration.seconds(65)
    /// The maximum wait for the outcomes of the part that an A/B test tests first.
    private static let testTimeout = Duration.seconds(120)
    /// The maximum wait for a worker that holds a batch. Between two claims and at the end no worker does.
    private static let leaseholderTimeout = Duration.seconds(1)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let environment: ChaosEnvironment
    private let schedule: ChaosSchedule
    private let workers: ChaosWorkers
    private let output: ChaosOutput
    private var answered = 0
    private var absent = 0
    private(set) var losses: [ChaosReport.Loss] = []
    /// Why a fault could not be injected.
    private(set) var failure: String?

    init(
        environment: ChaosEnvironment, schedule: ChaosSchedule, workers: ChaosWorkers, output: ChaosOutput,
        on loop: EventLoop
    ) {
        self.environment = environment
        self.schedule = schedule
        self.workers = workers
        self.output = output
        self.loop = loop
    }

    /// Sets the number of recipients that have an outcome.
    func progressed(to count: Int) { answered = count }

    /// Returns when all faults were injected and all workers are running again, or when an injection failed.
    func run() async {
        do {
            try await inject()
        } catch  where !Task.isCancelled {
            failure = "fault injection failed: \(error)"
        } catch {
            // The caller has cancelled the run.
        }
    }

    private func inject() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for event in schedule.events {
                let threshold = event.threshold(devices: environment.devices)
                while answered < threshold { try await loop.sleep(for: Self.pollInterval) }
                try await inject(event.fault, in: &group)
            }
            try await group.waitForAll()
        }
    }

    private func inject(
        _ fault: ChaosSchedule.ProcessFault, in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        switch fault {
        case .kill(let worker):
            let slot = try await choose(worker)
            try await kill(slot)
            absent += 1
            group.addTask(executorPreference: loop) { try await self.restartAfterDelay(slot) }
        case .pause(let worker):
            let slot = try await choose(worker)
            try await pause(slot)
            group.addTask(executorPreference: loop) { try await self.resumeAfterPause(slot) }
        case .killDatabase: try await killDatabase()
        case .failOver: try await failOver()
        case .cutSessions(let worker): try await cutSessions(try await choose(worker))
        case .sayGoodbye:
            output.log("GOAWAY on every connection to Apple")
            await environment.apple.inject(.goAway(.init(lastStream: .thisStream)))
        case .cutConnections:
            output.log("every connection to Apple is closed")
            await environment.apple.inject(.disconnect(accepted: false))
        case .upgrade: try await upgrade()
        case .decide: try await decide(in: &group)
        }
    }

    /// The part that is tested has its outcome, and the rest waits.
    private func decide(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        try await wait(Self.testTimeout) { try await self.environment.waiting() != nil }
        guard let waiting = try await retryWhileUnavailable({ try await self.environment.waiting() }) else {
            throw CommandFailure("the A/B test does not wait for its decision")
        }
        output.log("the A/B test waits: \(waiting.ledger[.pending].grouped) recipients are left")
        for slot in [0, 1] { try await inject(.kill(worker: slot), in: &group) }
        await environment.database.kill()
        output.log("kill -9 of PostgreSQL")
        let isTaken = try await retryWhileUnavailable { try await self.environment.decide(waiting) }
        guard isTaken else { throw CommandFailure("the decision was refused") }
        output.log("the A/B test is decided")
        await environment.database.kill()
        output.log("kill -9 of PostgreSQL")
        guard try await !retryWhileUnavailable({ try await self.environment.decide(waiting) }) else {
            throw CommandFailure("the decision was taken twice")
        }
    }

    private func upgrade() async throws {
        try await wait { try await self.allWorkersStarted() }
        let next = try await workers.makeNextBuild()
        try await workers.migrate(next)
        output.log("the next version has migrated the database")
        await workers.use(next)
        for slot in 0..<ChaosSchedule.workers {
            try await workers.replace(slot)
            try await wait { try await self.workers.owner(slot) != nil }
            output.log("worker \(slot + 1) has the next version")
        }
        // A worker that was killed before counts as running for a minute.
        try await wait(Self.killedCount) {
            try await environment.stores.processes.list(seenWithin: Self.killedCount).allSatisfy {
                $0.endedAt != nil || $0.identity.schema > next.present
            }
        }
        try await workers.migrate(next, ["--finish"])
        output.log("the upgrade is finished")
    }

    // MARK: Faults

    private func kill(_ slot: Int) async throws {
        await workers.kill(slot)
        let held = try await leasesWhenIdle(slot) { $0.all == 0 }
        note("kill -9 of worker \(slot + 1)", held)
    }

    private func pause(_ slot: Int) async throws {
        await workers.pause(slot)
        let held = try await leasesWhenIdle(slot) { $0.active == 0 }
        note("worker \(slot + 1) is paused", held)
    }

    private func note(_ what: String, _ held: ChaosAudit.Held) {
        losses.append(ChaosReport.Loss(what: what, held: held))
        output.log("\(what): held \(held.text)")
    }

    private func restartAfterDelay(_ slot: Int) async throws {
        try await loop.sleep(for: Self.restartDelay)
        // A worker does not start without its database, so wait until the database is available.
        _ = try await retryWhileUnavailable { try await self.environment.audit.sessions(of: "") }
        try await workers.start(slot)
        absent -= 1
        output.log("worker \(slot + 1) is restarted")
    }

    private func resumeAfterPause(_ slot: Int) async throws {
        try await loop.sleep(for: Self.pauseDuration)
        await workers.resume(slot)
        output.log("worker \(slot + 1) is resumed after its lease has expired")
    }

    private func killDatabase() async throws {
        try await wait { try await self.allWorkersStarted() }
        let primary = environment.database.primary
        let killed = primary.serverProcess
        await environment.database.kill()
        output.log("kill -9 of PostgreSQL")
        // The cluster starts it again by itself.
        try await wait { primary.serverProcess != killed }
        _ = try await retryWhileUnavailable { try await self.environment.audit.sessions(of: "") }
        output.log("PostgreSQL has been started again")
    }

    private func failOver() async throws {
        try await wait { try await self.allWorkersStarted() }
        await environment.database.kill()
        output.log("kill -9 of PostgreSQL")
        try await environment.database.standby?.promote()
        output.log("its standby has taken over")
    }

    private func cutSessions(_ slot: Int) async throws {
        let session = await workers.session(slot)
        let count = try await retryWhileUnavailable { try await self.environment.audit.endSessions(of: session) }
        output.log("PostgreSQL ends \(count) sessions of worker \(slot + 1)")
    }

    // MARK: State of the workers

    /// Returns the worker in this slot, or the next one that is running and holds batches.
    private func choose(_ first: Int) async throws -> Int {
        let slots = (0..<ChaosSchedule.workers).map { (first + $0) % ChaosSchedule.workers }
        var chosen: Int?
        try await wait(Self.leaseholderTimeout) {
            chosen = nil
            for slot in slots {
                guard await self.workers.isAtWork(slot), let owner = try await self.workers.owner(slot) else {
                    continue
                }
                chosen = chosen ?? slot
                guard try await self.environment.audit.held(by: owner).batches > 0 else { continue }
                chosen = slot
                return true
            }
            return false
        }
        guard let chosen else { throw CommandFailure("no worker is running") }
        return chosen
    }

    /// Returns the batches that a worker holds, once its sessions are idle: PostgreSQL still executes a statement that
    /// a killed worker has sent.
    private func leasesWhenIdle(
        _ slot: Int, _ isIdle: @escaping @Sendable ((all: Int, active: Int)) -> Bool
    ) async throws -> ChaosAudit.Held {
        let session = await workers.session(slot)
        try await wait { isIdle(try await self.environment.audit.sessions(of: session)) }
        guard let owner = try await workers.owner(slot) else { return ChaosAudit.Held(batches: 0, ambiguous: 0) }
        return try await retryWhileUnavailable { try await self.environment.audit.held(by: owner) }
    }

    /// Whether all workers have started: one that finds no database at its start gives up.
    private func allWorkersStarted() async throws -> Bool {
        guard absent == 0 else { return false }
        for slot in 0..<ChaosSchedule.workers {
            guard await workers.isAtWork(slot) else { continue }
            guard try await workers.owner(slot) != nil else { return false }
        }
        return true
    }

    /// Waits until the condition is true or the timeout has passed.
    private func wait(_ timeout: Duration = timeout, _ condition: () async throws -> Bool) async throws {
        let end = MonotonicTime.now() + timeout
        while .now() < end {
            do {
                if try await condition() { return }
            } catch let error as PostgresError where error.isDatabaseUnavailable {}
            try await loop.sleep(for: Self.pollInterval)
        }
    }

    /// Retries while the database is not available, until the timeout.
    private func retryWhileUnavailable<Value: Sendable>(_ ask: () async throws -> Value) async throws -> Value {
        let end = MonotonicTime.now() + Self.timeout
        while true {
            do {
                return try await ask()
            } catch let error as PostgresError where error.isDatabaseUnavailable && .now() < end {
                try await loop.sleep(for: Self.pollInterval)
            }
        }
    }
}
