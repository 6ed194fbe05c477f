import Application
import Campaigns
import EventLoop
import JSON
import Logging
import Postgres
import Store

/// Claims batches, fairly over the open runs, and sends them; takes over the batches of lost processes.
actor SendingLoop {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let dependencies: SendingDependencies
    private let claims: ClaimStore
    private let signal: WakeUpSignal
    /// Called when the first run is open.
    private let onFirstRun: @Sendable () -> Void
    /// Called when a batch is done: its run may be finished.
    private let onBatchDone: @Sendable () -> Void
    private var held: [Batch.ID: Run.ID] = [:]
    /// The apps of the runs of held batches.
    private var apps: [Run.ID: App.ID] = [:]
    /// Held batches of which only late and deferred recipients are left, with the number of these. They take no place.
    private var waiting: [Batch.ID: Int] = [:]
    /// Each with the expiry that its pushes name.
    private var jobs: [Run.ID: (job: SendingJob, expiresAt: Timestamp?)] = [:]
    /// Of the open runs that are not paused.
    private var expiries: [Run.ID: Timestamp] = [:]
    /// Batches that were taken over and whose run is paused because its content can't be compiled. They wait until
    /// somebody resumes or cancels the run.
    private var blockedBatches: [Batch.ID: Run.ID] = [:]
    private var idleWindows: [WindowPair] = []
    private var turn = 0
    private var nextTakeOver = MonotonicTime.now()
    private var outage = Outage()

    init(
        dependencies: SendingDependencies, claims: ClaimStore, signal: WakeUpSignal,
        onFirstRun: @escaping @Sendable () -> Void, onBatchDone: @escaping @Sendable () -> Void
    ) {
        self.dependencies = dependencies
        self.claims = claims
        self.signal = signal
        self.onFirstRun = onFirstRun
        self.onBatchDone = onBatchDone
        loop = dependencies.loop
    }

    /// Returns on shutdown, when all batches are stored or released.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !dependencies.stop.isStopping {
                var found = 0
                do {
                    found = try await claimMore(in: &group)
                    outage.succeeded("claiming goes on", in: dependencies.logger)
                } catch let error as PostgresError where error.isDatabaseUnavailable {
                    outage.failed("claiming waiting for the database", because: error, in: dependencies.logger)
                } catch {
                    dependencies.logger.error("batches not claimed", metadata: ["reason": "\(error)"])
                }
                // If batches were found, there may be more; look again if there is capacity for them.
                if found == 0 || held.count - waiting.count >= dependencies.options.maximumBatches {
                    await signal.sleep(upTo: dependencies.options.poll * Double.random(in: 0.9...1.1))
                }
            }
        }
    }

    private func claimMore(in group: inout DiscardingTaskGroup) async throws -> Int {
        let open = try await claims.openRuns()
        if dependencies.states.isEmpty, !open.isEmpty { onFirstRun() }
        dependencies.states.replaceAll(open)
        // After a resume, a run starts with its current content and without recorded rejections; after the decision of its
        // test, with another expiry.
        let going = open.filter { $0.state != .paused }
        expiries = Dictionary(uniqueKeysWithValues: going.map { ($0.id, $0.expiresAt) })
        jobs = jobs.filter { run, known in expiries[run].map { $0 == known.expiresAt } ?? false }
        let paused = Set(open.filter { $0.state == .paused }.map(\.id))
        blockedBatches = blockedBatches.filter { paused.contains($0.value) }
        var found = try await takeOver(in: &group)
        // A cancelled run's batches are claimed too, to be ended.
        let ready = open.filter { $0.hasReady && $0.state != .paused }
        for (run, limit) in zip(ready, shares(of: ready)) where limit > 0 {
            let began = MonotonicTime.now()
            let batches = try await claims.claim(run, limit: limit, lease: dependencies.options.lease)
            for batch in batches {
                dependencies.onEvent?(.claimed(batch.id))
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
        let options = dependencies.options
        let perRun = heldPerRun
        return BatchShares(maximumRuns: options.maximumRuns)
            .shares(
                of: ready.map {
                    .init(app: $0.app, held: perRun[$0.id, default: 0], pushesPerSecond: $0.pushesPerSecond)
                },
                heldByApp: heldPerApp(perRun), freeCapacity: freeCapacity, runs: perRun.count, turn: turn)
    }

    private func heldPerApp(_ perRun: [Run.ID: Int]) -> [App.ID: BatchShares.Held] {
        perRun.reduce(into: [:]) { counts, run in
            guard let app = apps[run.key] else { return }
            counts[app, default: .init()].all += run.value
            if dependencies.states.pushesPerSecond(of: run.key) == nil {
                counts[app, default: .init()].unlimited += run.value
            }
        }
    }

    /// Batches that take a place.
    private var heldPerRun: [Run.ID: Int] {
        held.reduce(into: [:]) { if waiting[$1.key] == nil { $0[$1.value, default: 0] += 1 } }
    }

    /// The number of batches that this process can still take; negative when runs hold extra ones.
    private var freeCapacity: Int {
        dependencies.options.maximumBatches
            - heldPerRun.reduce(0) {
                $0 + BatchShares.slotsUsed($1.value, pushesPerSecond: dependencies.states.pushesPerSecond(of: $1.key))
            }
    }

    /// At least one even without free capacity: slow batches may use it up for long, and lost batches must not wait.
    private var takeoverCapacity: Int {
        max(freeCapacity, freeCapacity > -dependencies.options.maximumRuns ? 1 : 0)
    }

    private func takeOver(in group: inout DiscardingTaskGroup) async throws -> Int {
        let limit = takeoverCapacity
        guard limit > 0, .now() >= nextTakeOver else { return 0 }
        nextTakeOver = .now() + dependencies.options.poll
        let began = MonotonicTime.now()
        let batches = try await claims.takeOver(
            except: Array(held.keys) + blockedBatches.keys, limit: limit, lease: dependencies.options.lease)
        for batch in batches {
            dependencies.logger.notice(
                "batch taken over",
                metadata: .batch(batch, ["attempt": "\(batch.attempt)"]))
            dependencies.metrics.tookOver()
            dependencies.onEvent?(.tookOver(batch.id))
            // A batch that can't be sent stays leased: pushes that the lost process declared may have been sent.
            if try await !start(batch, began: began, in: &group) { blockedBatches[batch.id] = batch.run }
        }
        return batches.count
    }

    /// False when its run's content is not available.
    private func start(
        _ batch: ClaimedBatch, began: MonotonicTime, in group: inout DiscardingTaskGroup
    ) async throws -> Bool {
        guard let job = try await jobOrPause(for: batch.runKey) else { return false }
        held[batch.id] = batch.run
        apps[batch.run] = batch.app
        let windows = idleWindows.popLast() ?? WindowPair()
        let sender = BatchSender(batch: batch, job: job, windows: windows, claimBegan: began) { windows, count in
            await self.leavePlace(of: batch, windows, recipients: count)
        }
        group.addTask {
            let end = await sender.run()
            await self.ended(batch, end, windows)
        }
        return true
    }

    /// Nil also for a run whose content can't be compiled; that run is paused.
    private func jobOrPause(for run: Run.Key) async throws -> SendingJob? {
        do {
            return try await job(for: run)
        } catch let error as PostgresError {
            throw error
        } catch {
            dependencies.logger.error("run not sent", metadata: .run(run, ["reason": "\(error)"]))
            try await dependencies.pauses.pause(
                run, because: "The run's content could not be compiled: \(reasonForPeople(error))")
            return nil
        }
    }

    private func job(for run: Run.Key) async throws -> SendingJob? {
        if let known = jobs[run.id] { return known.job }
        guard let job = try await dependencies.job(for: run) else { return nil }
        jobs[run.id] = (job, expiries[run.id])
        return job
    }

    /// False when too much waits: the batch then keeps its place.
    private func leavePlace(of batch: ClaimedBatch, _ windows: WindowPair, recipients count: Int) -> Bool {
        let options = dependencies.options
        guard waiting.count < options.maximumWaitingBatches,
            waiting.values.reduce(count, +) <= options.maximumWaitingRecipients
        else { return false }
        waiting[batch.id] = count
        idleWindows.append(windows)
        signal.call()
        return true
    }

    private func ended(_ batch: ClaimedBatch, _ end: BatchSender.End, _ windows: WindowPair) {
        held[batch.id] = nil
        if !held.values.contains(batch.run) { apps[batch.run] = nil }
        if waiting.removeValue(forKey: batch.id) == nil { idleWindows.append(windows) }
        switch end {
        case .done:
            dependencies.onEvent?(.batchDone(batch.id))
            onBatchDone()
        case .released: dependencies.onEvent?(.batchReleased(batch.id))
        case .lost:
            dependencies.metrics.batchLost()
            dependencies.onEvent?(.batchLost(batch.id))
        }
        signal.call()
    }
}
