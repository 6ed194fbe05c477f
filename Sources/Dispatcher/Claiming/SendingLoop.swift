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
    /// Taken over, and of a run that is paused since its content cannot be made: nothing can be done with them until
    /// somebody resumes or cancels it.
    private var stuck: [Batch.ID: Run.ID] = [:]
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
        let paused = Set(open.filter { $0.state == .paused }.map(\.id))
        stuck = stuck.filter { paused.contains($0.value) }
        var found = try await takeOver(in: &group)
        // A cancelled run's batches are claimed too, to be written off.
        let ready = open.filter { $0.hasReady && $0.state != .paused }
        for (run, limit) in zip(ready, shares(of: ready)) where limit > 0 {
            let began = MonotonicTime.now()
            let batches = try await claims.claim(run, limit: limit, lease: tools.options.lease)
            for batch in batches {
                tools.onEvent?(.claimed(batch.id))
                if try await start(batch, began: began, in: &group) {
                    found += 1
                } else {
                    try await claims.release(batch)
                }
            }
        }
        return found
    }

    private func shares(of ready: [ClaimStore.OpenRun]) -> [Int] {
        turn += 1
        let options = tools.options
        let perRun = heldPerRun
        return BatchShares(maximumRuns: options.maximumRuns)
            .shares(
                of: ready.map { .init(held: perRun[$0.id, default: 0], pace: $0.pace) }, room: room,
                runs: perRun.count, turn: turn)
    }

    private var heldPerRun: [Run.ID: Int] { held.values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    /// Batches that there is room for; below zero when runs have theirs beyond it.
    private var room: Int {
        tools.options.maximumBatches
            - heldPerRun.reduce(0) { $0 + BatchShares.charge($1.value, pace: tools.states.pace(of: $1.key)) }
    }

    /// One even where all room is taken: batches that go slowly fill it for long, and who was lost waits for nobody.
    private var roomToTakeOver: Int {
        max(room, room > -tools.options.maximumRuns ? 1 : 0)
    }

    private func takeOver(in group: inout DiscardingTaskGroup) async throws -> Int {
        let room = roomToTakeOver
        guard room > 0, .now() >= nextTakeOver else { return 0 }
        nextTakeOver = .now() + tools.options.poll
        let began = MonotonicTime.now()
        let batches = try await claims.takeOver(
            except: Array(held.keys) + stuck.keys, limit: room, lease: tools.options.lease)
        for batch in batches {
            tools.logger.notice(
                "took over a batch",
                metadata: ["batch": "\(batch.id)", "run": "\(batch.run)", "attempt": "\(batch.attempt)"])
            tools.onEvent?(.tookOver(batch.id))
            // Where it cannot be sent it stays leased: who was declared by the lost process may have been sent to.
            if try await !start(batch, began: began, in: &group) { stuck[batch.id] = batch.run }
        }
        return batches.count
    }

    /// False when its run's content cannot be had.
    private func start(
        _ batch: ClaimedBatch, began: MonotonicTime, in group: inout DiscardingTaskGroup
    ) async throws -> Bool {
        guard let job = try await jobOrPause(for: batch.run) else { return false }
        held[batch.id] = batch.run
        let windows = idleWindows.popLast() ?? WindowPair()
        let sender = BatchSender(batch: batch, job: job, windows: windows, claimBegan: began)
        group.addTask {
            let end = await sender.run()
            await self.ended(batch, end, windows)
        }
        return true
    }

    /// Nil also for a run whose content cannot be made: it waits for a person.
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
