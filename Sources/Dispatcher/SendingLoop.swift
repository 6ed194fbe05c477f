import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Claims batches, fairly over the open runs, and has each sent; takes over what lost processes held.
actor SendingLoop {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let tools: SendingTools
    private let claims: ClaimStore
    private let alarm: WakeUp
    /// Called when a batch is done: its run may be over.
    private let onBatchDone: @Sendable () -> Void
    private var held: [Batch.ID: Run.ID] = [:]
    private var jobs: [Run.ID: SendingJob] = [:]
    private var idleWindows: [WindowPair] = []
    private var turn = 0
    private var nextTakeOver = MonotonicTime.now()

    init(tools: SendingTools, claims: ClaimStore, alarm: WakeUp, onBatchDone: @escaping @Sendable () -> Void) {
        self.tools = tools
        self.claims = claims
        self.alarm = alarm
        self.onBatchDone = onBatchDone
        loop = tools.loop
    }

    /// Returns when the process is to end and all batches are stored or given back.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !tools.stop.isStopping {
                var found = 0
                do {
                    found = try await claimMore(in: &group)
                } catch let error as PostgresError where error.meansAbsence {
                    tools.logger.warning("claiming waits for the database", metadata: ["reason": "\(error)"])
                } catch {
                    tools.logger.error("no batches could be claimed", metadata: ["reason": "\(error)"])
                }
                // What was found leaves more to be found, if there is room for it.
                if found == 0 || held.count >= tools.options.maximumBatches {
                    await alarm.sleep(upTo: tools.options.poll * Double.random(in: 0.9...1.1))
                }
            }
        }
    }

    private func claimMore(in group: inout DiscardingTaskGroup) async throws -> Int {
        let open = try await claims.openRuns()
        tools.states.replaceAll(open)
        // Who resumes a run begins with its content as it is then, and with a clean record.
        let ids = Set(open.filter { $0.state != .paused }.map(\.id))
        jobs = jobs.filter { ids.contains($0.key) }
        var found = try await takeOver(in: &group)
        // A cancelled run's batches are claimed too, to be written off.
        let ready = open.filter { $0.hasReady && $0.state != .paused }
        guard !ready.isEmpty else { return found }
        turn += 1
        for offset in 0..<ready.count {
            let run = ready[(turn + offset) % ready.count]
            let limit = room(for: run, among: ready.count - offset)
            guard limit > 0 else { continue }
            let began = MonotonicTime.now()
            let batches = try await claims.claim(run, limit: limit, lease: tools.options.lease)
            for batch in batches {
                tools.onEvent?(.claimed(batch.id))
                try await start(batch, began: began, in: &group)
            }
            found += batches.count
        }
        return found
    }

    /// How many batches of a run may be claimed now: its share of what is free, no more than its pace can use, and at
    /// least one if it has none here.
    private func room(for run: ClaimStore.OpenRun, among others: Int) -> Int {
        let own = held.values.count { $0 == run.id }
        let free = (tools.options.maximumBatches - held.count) / others
        let useful = run.pace.map { 1 + $0 / Self.paceOfABatch - own } ?? .max
        if own == 0, Set(held.values).count < tools.options.maximumRuns { return max(1, min(free, useful)) }
        return min(max(free, held.count < tools.options.maximumBatches ? 1 : 0), useful)
    }

    /// Pushes a second that one batch sends without effort, answers on their way included.
    private static let paceOfABatch = 5_000

    /// One even where all room is taken: batches that go slowly fill it for long, and who was lost waits for nobody.
    private var roomToTakeOver: Int {
        let options = tools.options
        return max(
            options.maximumBatches - held.count, held.count < options.maximumBatches + options.maximumRuns ? 1 : 0)
    }

    private func takeOver(in group: inout DiscardingTaskGroup) async throws -> Int {
        let room = roomToTakeOver
        guard room > 0, .now() >= nextTakeOver else { return 0 }
        nextTakeOver = .now() + tools.options.poll
        let began = MonotonicTime.now()
        let batches = try await claims.takeOver(except: Array(held.keys), limit: room, lease: tools.options.lease)
        for batch in batches {
            tools.logger.notice(
                "took over a batch",
                metadata: ["batch": "\(batch.id)", "run": "\(batch.run)", "attempt": "\(batch.attempt)"])
            tools.onEvent?(.tookOver(batch.id))
            try await start(batch, began: began, in: &group)
        }
        return batches.count
    }

    private func start(_ batch: ClaimedBatch, began: MonotonicTime, in group: inout DiscardingTaskGroup) async throws {
        guard let job = try await jobOrPause(for: batch.run) else { return }
        held[batch.id] = batch.run
        let windows = idleWindows.popLast() ?? WindowPair()
        let sender = BatchSender(batch: batch, job: job, windows: windows, claimBegan: began)
        group.addTask {
            let end = await sender.run()
            await self.ended(batch, end, windows)
        }
    }

    /// Nil also for a run whose content cannot be made: it waits for a person, and its batches for their leases' end.
    private func jobOrPause(for run: Run.ID) async throws -> SendingJob? {
        do {
            return try await job(for: run)
        } catch let error as PostgresError {
            throw error
        } catch {
            tools.logger.error("a run could not be sent", metadata: ["run": "\(run)", "reason": "\(error)"])
            try await tools.pauses.pause(run, because: "Its content could not be made: \(error)")
            return nil
        }
    }

    private func job(for run: Run.ID) async throws -> SendingJob? {
        if let job = jobs[run] { return job }
        let job = try await tools.job(for: run)
        jobs[run] = job
        return job
    }

    private func ended(_ batch: ClaimedBatch, _ end: BatchSender.End, _ windows: WindowPair) {
        held[batch.id] = nil
        idleWindows.append(windows)
        switch end {
        case .done:
            tools.onEvent?(.batchDone(batch.id))
            onBatchDone()
        case .released: tools.onEvent?(.batchReleased(batch.id))
        case .lost: tools.onEvent?(.batchLost(batch.id))
        }
        alarm.call()
    }
}
