import APNSSimulator
import EventLoop
import Postgres
import Store

/// Carries out the schedule: waits until so many recipients have their outcome, does the next deed, and remembers what each
/// lost worker held.
actor ChaosConductor {
    /// A worker that was killed comes back after this.
    private static let absence = Duration.seconds(1)
    private static let databaseAbsence = Duration.milliseconds(500)
    /// Well beyond the lease: the others, who are busy themselves, have taken over by then.
    private static let standstill = ChaosCrew.lease * 2
    private static let look = Duration.milliseconds(50)
    /// What is to be seen soon and is not: then the deed goes on without it.
    private static let patience = Duration.seconds(10)
    /// For somebody who holds a batch; there is none between two claims, and none in the end.
    private static let patienceForHolders = Duration.seconds(1)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let world: ChaosWorld
    private let schedule: ChaosSchedule
    private let crew: ChaosCrew
    private let output: ChaosOutput
    private var answered = 0
    private var absent = 0
    private(set) var losses: [ChaosReport.Loss] = []
    /// Why the schedule could not be carried out.
    private(set) var failure: String?

    init(world: ChaosWorld, schedule: ChaosSchedule, crew: ChaosCrew, output: ChaosOutput, on loop: EventLoop) {
        self.world = world
        self.schedule = schedule
        self.crew = crew
        self.output = output
        self.loop = loop
    }

    /// So many recipients have their outcome.
    func progressed(to count: Int) { answered = count }

    /// Returns when everything was done, and everybody who was to come back is back, or when something failed.
    func run() async {
        do {
            try await carryOut()
        } catch  where !Task.isCancelled {
            failure = "the schedule could not be carried out: \(error)"
        } catch {
            // Whoever has cancelled it knows why.
        }
    }

    private func carryOut() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for event in schedule.events {
                while answered < event.threshold(devices: world.devices) { try await loop.sleep(for: Self.look) }
                try await carryOut(event.deed, in: &group)
            }
            try await group.waitForAll()
        }
    }

    private func carryOut(_ deed: ChaosSchedule.Deed, in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        switch deed {
        case .kill(let worker):
            let place = try await choose(worker)
            try await kill(place)
            absent += 1
            group.addTask(executorPreference: loop) { try await self.bringBack(place) }
        case .pause(let worker):
            let place = try await choose(worker)
            try await pause(place)
            group.addTask(executorPreference: loop) { try await self.letGoOn(place) }
        case .stopDatabase: try await stopDatabase()
        case .cutSessions(let worker): try await cutSessions(try await choose(worker))
        case .sayGoodbye:
            output.tell("GOAWAY on every connection to Apple")
            await world.apple.inject(.goAway(.init(lastStream: .thisStream)))
        case .cutConnections:
            output.tell("every connection to Apple is cut")
            await world.apple.inject(.disconnect(accepted: false))
        }
    }

    // MARK: Deeds

    private func kill(_ place: Int) async throws {
        await crew.kill(place)
        let held = try await heldWhenStill(place) { $0.all == 0 }
        note("kill -9 of worker \(place + 1)", held)
    }

    private func pause(_ place: Int) async throws {
        await crew.pause(place)
        let held = try await heldWhenStill(place) { $0.active == 0 }
        note("worker \(place + 1) stands still", held)
    }

    private func note(_ what: String, _ held: ChaosAudit.Held) {
        losses.append(ChaosReport.Loss(what: what, held: held))
        output.tell("\(what): it held \(held.text)")
    }

    private func bringBack(_ place: Int) async throws {
        try await loop.sleep(for: Self.absence)
        // A worker does not start without its database; whoever starts workers tries again.
        _ = try await patiently { try await self.world.audit.sessions(of: "") }
        try await crew.start(place)
        absent -= 1
        output.tell("worker \(place + 1) is back")
    }

    private func letGoOn(_ place: Int) async throws {
        try await loop.sleep(for: Self.standstill)
        await crew.goOn(place)
        output.tell("worker \(place + 1) goes on, its lease long over")
    }

    private func stopDatabase() async throws {
        try await wait { try await self.everybodyHasBegun() }
        await world.cluster.stopImmediately()
        output.tell("PostgreSQL is stopped, in immediate mode")
        try await loop.sleep(for: Self.databaseAbsence)
        try await world.cluster.restart()
        output.tell("PostgreSQL is back")
    }

    private func cutSessions(_ place: Int) async throws {
        let session = await crew.session(place)
        let count = try await patiently { try await self.world.audit.endSessions(of: session) }
        output.tell("PostgreSQL ends \(count) sessions of worker \(place + 1)")
    }

    // MARK: Looking

    /// The worker in this place, or the next that is at work and holds batches.
    private func choose(_ first: Int) async throws -> Int {
        let places = (0..<ChaosSchedule.workers).map { (first + $0) % ChaosSchedule.workers }
        var chosen: Int?
        try await wait(Self.patienceForHolders) {
            chosen = nil
            for place in places {
                guard await self.crew.isAtWork(place), let owner = try await self.crew.owner(place) else { continue }
                chosen = chosen ?? place
                guard try await self.world.audit.held(by: owner).batches > 0 else { continue }
                chosen = place
                return true
            }
            return false
        }
        guard let chosen else { throw CommandFailure("no worker is at work") }
        return chosen
    }

    /// What a worker holds once nothing of it can change that any more: a statement that it has sent is carried out even
    /// when it is dead.
    private func heldWhenStill(
        _ place: Int, _ isStill: @escaping @Sendable ((all: Int, active: Int)) -> Bool
    ) async throws -> ChaosAudit.Held {
        let session = await crew.session(place)
        try await wait { isStill(try await self.world.audit.sessions(of: session)) }
        guard let owner = try await crew.owner(place) else { return ChaosAudit.Held(batches: 0, inDoubt: 0) }
        return try await patiently { try await self.world.audit.held(by: owner) }
    }

    /// Nobody is away or on his way: a worker that finds no database when it starts gives up.
    private func everybodyHasBegun() async throws -> Bool {
        guard absent == 0 else { return false }
        for place in 0..<ChaosSchedule.workers {
            guard await crew.isAtWork(place) else { continue }
            guard try await crew.owner(place) != nil else { return false }
        }
        return true
    }

    /// Until it is so, or patience is at its end.
    private func wait(_ patience: Duration = patience, _ isSo: () async throws -> Bool) async throws {
        let end = MonotonicTime.now() + patience
        while .now() < end {
            do {
                if try await isSo() { return }
            } catch let error as PostgresError where error.meansAbsence {}
            try await loop.sleep(for: Self.look)
        }
    }

    /// Again and again while the database is away.
    private func patiently<Value: Sendable>(_ ask: () async throws -> Value) async throws -> Value {
        let end = MonotonicTime.now() + Self.patience
        while true {
            do {
                return try await ask()
            } catch let error as PostgresError where error.meansAbsence && .now() < end {
                try await loop.sleep(for: Self.look)
            }
        }
    }
}
