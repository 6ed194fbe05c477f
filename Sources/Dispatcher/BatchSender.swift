import APNS
import Campaigns
import EventLoop
import Logging
import Notifications
import Postgres
import Store

/// Sends one claimed batch: declares a window, lets it touch the wire once that is committed, and
/// stores what became of it with the declaration of the next but one.
///
/// Never more than two windows are declared without a stored outcome: that is what the loss of this
/// process can make unknown.
actor BatchSender {
    enum End: Sendable { case done, released, lost }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let batch: ClaimedBatch
    let job: SendingJob
    var progress: BatchProgress
    var flushes: FlushState
    /// Apple's word that tokens are gone, to be stored with the next flush.
    var gone: [RetiringStore.Gone] = []
    /// Why the campaign has to be paused.
    var stop: StopReason?
    let composer: ContentComposer
    private let windows: WindowPair
    /// What metrics are to be told when the flush that was tried is stored, and what they were told last.
    private var triedLedger: Ledger
    private var toldLedger: Ledger
    private var runState = RunRecord.State.sending
    /// Nil until a flush has told.
    private(set) var expiresAt: MonotonicTime?
    private var isTooLate = false
    private var isAppleAway = false
    /// Whom the last flush hands over to other batches.
    private var moves: [BatchMove] = []
    private let alarm: WakeUp
    /// For waits inside a flush: a renewal may sleep on the other alarm meanwhile, and one alarm wakes one.
    private let flushAlarm: WakeUp
    let paceAlarm: WakeUp
    private var isOnWire = false
    private var isFlushing = false
    private var flushWaiters: [UnsafeContinuation<Void, Never>] = []

    /// `claimBegan` is when the claim was asked for: the lease ends no earlier than that plus the lease.
    init(batch: ClaimedBatch, job: SendingJob, windows: WindowPair, claimBegan: MonotonicTime) {
        self.batch = batch
        self.job = job
        self.windows = windows
        composer = ContentComposer(job.content.content, now: job.clock.estimate)
        loop = job.loop
        alarm = WakeUp(loop: job.loop)
        flushAlarm = WakeUp(loop: job.loop)
        paceAlarm = WakeUp(loop: job.loop)
        progress = BatchProgress(
            outcomes: batch.outcomes, sentThrough: batch.sentThrough, policy: job.content.unknownPolicy,
            suspectCode: job.suspectCode)
        flushes = FlushState(
            attempt: batch.attempt, flushSequence: batch.flushSequence, claimBegan: claimBegan)
        var told = BatchProgress.ledger(of: batch.outcomes, kinds: job.kinds)
        told[.rejected] -= progress.suspects.count
        toldLedger = told
        triedLedger = told
    }

    func run() async -> End {
        // What was cancelled is written off without a client, which there may not be.
        if let standing = standing(hasDeclared: false) { return await end(standing) }
        do {
            guard let client = try await job.clients.client(for: batch.app, batch.environment) else {
                progress.endRest(OutcomeCode.suppressedNoCredential)
                return await end(.done)
            }
            let rows = try await job.recipients.recipients(of: batch, with: job.content.content.needs)
            let recipients = try RecipientRows(rows: rows, of: batch)
            return await send(recipients, with: client)
        } catch let unusable as UnusableClient {
            // Whoever claims the batch next would fare no better.
            await pauseRun(.trouble("\(unusable) Then resume."))
            // Should the pause not be stored, this must not go round at once.
            await alarm.sleep(upTo: job.options.pauseWhenAway)
            return await end(.released)
        } catch {
            // Nothing was sent in this attempt: whoever comes next starts where this one would have.
            job.logger.warning("batch put back", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            // Given back at once it would be claimed again at once, by this process or another, without end.
            await alarm.sleep(upTo: job.options.pauseWhenAway)
            return await end(.released)
        }
    }

    // MARK: The way of a window

    private func send(_ recipients: RecipientRows, with client: APNSClient) async -> End {
        var declared: DeclaredWindow?
        while true {
            if let standing = standing(hasDeclared: declared != nil) {
                if let declared { takeBack(declared) }
                return await end(standing)
            }
            let limit = windowLimit(await client.windowSize)
            var next = compose(recipients, limit: limit, into: windows.other(than: declared?.window))
            if let current = declared {
                async let sent: Void = send(current, with: client)
                let isStored = await declare(&next)
                await sent
                guard isStored else { return abandon() }
                await record(current)
            } else if next != nil {
                guard await declare(&next) else { return .lost }
            } else if progress.isExhausted {
                return await end(.done)
            } else if !progress.hasNext {
                guard await waitForDelayed() else { return .lost }
            }
            if let next {
                job.onEvent?(.windowDeclared(batch.id, count: next.window.count))
                next.window.allow(until: mayTouchWireUntil)
            }
            if isAppleAway {
                isAppleAway = false
                await alarm.sleep(upTo: job.options.pauseWhenAway)
            }
            declared = next
        }
    }

    /// What ends the batch before everybody was sent to; nil to go on.
    func standing(hasDeclared: Bool) -> FlushStore.Standing? {
        if job.isStopping() { return .released }
        switch job.states[batch.run] ?? runState {
        case .sending: break
        case .paused: return .released
        case .cancelled, .finished:
            // Who is declared and not on the wire is taken back first, and then written off with the rest.
            return .done
        }
        if isExpired { return .done }
        return isTooLate ? .released : nil
    }

    private var isExpired: Bool { expiresAt.map { $0 <= .now() } ?? false }

    /// Who was declared and is certainly not on the wire.
    private func takeBack(_ declared: DeclaredWindow) {
        for index in declared.indices { progress.putBack(Int(index)) }
    }

    /// Sends a window; its lease is renewed for as long as that takes.
    private func send(_ declared: DeclaredWindow, with client: APNSClient) async {
        isOnWire = true
        async let renewals: Void = renewWhileOnWire(declared.window)
        let ending = await isTime(for: declared) ? client.send(declared.window) : .done
        isOnWire = false
        alarm.call()
        await renewals
        if case .unavailable(let error) = ending {
            isAppleAway = true
            job.logger.warning(
                "pushes wait for APNs", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }

    private func renewWhileOnWire(_ window: PushWindow) async {
        while isOnWire {
            await alarm.sleep(upTo: job.options.renewal)
            guard isOnWire else { return }
            guard await flush(.held(lease: job.options.lease)) else { return }
            window.allow(until: mayTouchWireUntil)
        }
    }

    private var mayTouchWireUntil: MonotonicTime {
        flushes.mayTouchWireUntil(
            lease: job.options.lease, requestDeadline: job.options.apns.requestDeadline, margin: job.options.margin)
    }

    /// Pushes that Apple put off are sent again inside the lease, after a pause. False when the batch
    /// was lost meanwhile.
    private func waitForDelayed() async -> Bool {
        let delays = job.options.retryDelays
        let due = MonotonicTime.now() + delays[min(progress.longestDelay, delays.count) - 1]
        while .now() < due, standing(hasDeclared: false) == nil {
            await alarm.sleep(upTo: min(due - .now(), job.options.renewal))
            guard await flush(.held(lease: job.options.lease)) else { return false }
        }
        progress.endDelay()
        return true
    }

    // MARK: The end

    private func end(_ standing: FlushStore.Standing) async -> End {
        if case .done = standing {
            let isCancelled = [.cancelled, .finished].contains(job.states[batch.run] ?? runState)
            if isCancelled || isExpired { progress.endRest(isCancelled ? OutcomeCode.cancelled : OutcomeCode.expired) }
            moves = await departures()
        }
        guard await flush(standing) else { return .lost }
        if case .done = standing { return .done }
        return .released
    }

    /// The batch is another process's, or cannot be stored: nothing more may be done with it.
    private func abandon() -> End {
        job.logger.warning("batch lost to another process", metadata: ["batch": "\(batch.id)"])
        return .lost
    }

    // MARK: Flushing

    /// Stores the progress as it is now. False when the batch is lost. One at a time: a renewal and a
    /// declaration may meet.
    func flush(_ standing: FlushStore.Standing) async -> Bool {
        while isFlushing { await withUnsafeContinuation { flushWaiters.append($0) } }
        isFlushing = true
        defer {
            isFlushing = false
            for waiter in flushWaiters { waiter.resume() }
            flushWaiters.removeAll()
        }
        let retired = await retireGone()
        if !retired { job.logger.warning("devices could not be retired", metadata: ["batch": "\(batch.id)"]) }
        while let sequence = flushes.begin(at: .now()) {
            switch await store(sequence, standing) {
            case .stored:
                job.metrics.stored(triedLedger, after: toldLedger)
                toldLedger = triedLedger
                return true
            case .flushAgain:
                // What failed may fail again at once, a full disk for example.
                await flushAlarm.sleep(upTo: job.options.pauseWhenAway)
            case .lost: return false
            }
        }
        return false
    }

    private func store(_ sequence: Int32, _ standing: FlushStore.Standing) async -> FlushState.Verdict {
        let ledger = progress.ledger(kinds: job.kinds)
        triedLedger = ledger
        // Until the batch is done, it is open whether the other environment gets them.
        if case .done = standing {} else { triedLedger[.rejected] -= progress.suspects.count }
        let flush = FlushStore.Flush(
            batch: batch.id, attempt: batch.attempt, sequence: sequence, sentThrough: progress.sentThrough,
            outcomes: progress.outcomes, ledger: ledger, standing: standing, moves: moves)
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let stored = try await job.flushes.store(flush)
            job.metrics.flushTook(.now() - began)
            if let stored {
                runState = stored.runState
                // The row knows of a pause before the next poll does.
                if runState != .sending { job.states.set(runState, of: batch.run) }
                // Counted from before the question: rather a moment too early.
                expiresAt = began + stored.expiresIn
                isTooLate = stored.isTooLate
            }
            return flushes.answered(isStored: stored != nil)
        } catch {
            flushes.interrupted()
            job.logger.warning("flush in doubt", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            return await readAgain()
        }
    }

    /// Until the database says what it has. Nothing is sent meanwhile: the caller waits.
    private func readAgain() async -> FlushState.Verdict {
        while true {
            do throws(PostgresError) {
                let row = try await job.flushes.row(of: batch.id)
                return flushes.reread(
                    row.flatMap { $0.isOurs || $0.flushSequence > flushes.stored ? $0 : nil }
                        .map { ($0.attempt, $0.flushSequence) })
            } catch {
                if job.mustGiveUp() { return .lost }
                await flushAlarm.sleep(upTo: job.options.pauseWhenAway)
            }
        }
    }

    private func retireGone() async -> Bool {
        guard !gone.isEmpty else { return true }
        let leaving = gone
        gone.removeAll()
        do {
            _ = try await job.retiring.retire(leaving, app: batch.app)
            return true
        } catch {
            // They go with the next flush.
            gone = leaving + gone
            return false
        }
    }
}
