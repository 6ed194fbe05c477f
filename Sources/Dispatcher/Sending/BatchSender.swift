import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Postgres
import Store

/// Sends one claimed batch, window by window: declares a window, sends it once the declaration is committed, and
/// declares the next one meanwhile. The outcomes of a window are stored with the declaration of the second one after it.
///
/// At most two windows are declared without stored outcomes, and the late pushes of earlier ones, and only as many of
/// their recipients as the process's `UnresolvedBudget` has room for.
///
/// Docs/decisions/sending.md explains the order of these steps.
actor BatchSender {
    enum End: Sendable { case done, released, lost }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let batch: ClaimedBatch
    let job: SendingJob
    var progress: BatchProgress
    var flushes: FlushState
    /// Why the run has to be paused.
    var stop: StopReason?
    let composer: ContentComposer
    /// Nil while the batch waits without a place.
    private var windows: WindowPair?
    /// Gives up the batch's place and its windows, with the number of recipients that are left; false if too many wait
    /// already.
    private let leavePlace: @Sendable (WindowPair, Int) async -> Bool
    private var hasLeft = false
    /// Apple complained about the connection or the provider token. Then the batch keeps its place: with a key that is
    /// wrong, no further batches should be tried meanwhile.
    var hasCredentialFault = false
    /// Windows in a row without an accepted push that Apple refused because of the credential.
    var credentialFaults = 0
    /// Apple's answers for which recipients wait.
    var waiting = WaitingAnswers()
    /// The ledger to report to metrics once the current flush is stored, and the one reported last.
    var pendingLedger: Ledger
    var reportedLedger: Ledger
    var runState = RunRecord.State.sending
    /// Nil until the first flush has returned it.
    var expiresAt: MonotonicTime?
    /// When its recipients have to be re-evaluated, because quiet hours begin for example.
    var reevaluateAt: MonotonicTime?
    private var isAPNSUnavailable = false
    private var recipientsReadAt = MonotonicTime.now()
    /// Recipients that the last flush moves to other batches.
    var deferrals: [BatchDeferral] = []
    /// Called when a late push is answered, a window has returned, or there is room in the budget.
    let signal: WakeUpSignal
    var rateLimitWindow = RateLimitWindow()
    /// The recipients of late pushes, and the results that were not recorded yet.
    var late: [LatePushes.ID: Int32] = [:]
    var lateResults: [(id: LatePushes.ID, result: PushResult)] = []
    /// Recipients per window: fewer if their payloads are long.
    var windowCount = PushWindow.maximumCount
    /// The number of windows so far.
    var windowNumber = 0
    /// Late results were recorded since the last flush.
    var hasUnstoredLate = false
    /// The part of the process's budget that the batch has. Never less than its unresolved recipients, stored or to be
    /// stored.
    var taken = 0
    /// The unresolved recipients once the current flush is stored.
    var pendingUnresolved = 0
    private var isOnWire = false
    var isFlushing = false
    var flushWaiters = WaitingTasks()

    /// `claimBegan` is when the claim was requested: the lease ends no earlier than `claimBegan` plus its length.
    init(
        batch: ClaimedBatch, job: SendingJob, windows: WindowPair, claimBegan: MonotonicTime,
        leavePlace: @escaping @Sendable (WindowPair, Int) async -> Bool
    ) {
        self.batch = batch
        self.job = job
        self.windows = windows
        self.leavePlace = leavePlace
        composer = ContentComposer(job.content.content, now: job.clock.estimate)
        loop = job.loop
        signal = WakeUpSignal(loop: job.loop)
        progress = BatchProgress(
            outcomes: batch.outcomes, sentThrough: batch.sentThrough, policy: job.content.source.unknownPolicy,
            mismatchCode: job.mismatchCode)
        waiting = WaitingAnswers(mayBeInRow: batch.retries > 0 || batch.attempt > 1)
        flushes = FlushState(
            attempt: batch.attempt, flushSequence: batch.flushSequence, claimBegan: claimBegan)
        var ledger = BatchProgress.ledger(of: batch.outcomes, kinds: job.kinds)
        ledger[.rejected] -= progress.mismatches.count
        reportedLedger = ledger
        pendingLedger = ledger
    }

    func run() async -> End {
        let end = await sendBatch()
        job.unresolved.giveBack(taken)
        job.flushMemory.ended(batch.id)
        return end
    }

    private func sendBatch() async -> End {
        await pauseIfThresholdExceeded()
        // A cancelled batch ends without a client; the app may not have one.
        if let disposition = disposition() { return await end(disposition) }
        do {
            guard let client = try await job.clients.client(for: batch.app, batch.environment) else {
                return try await endWithoutClient()
            }
            return try await send(with: client)
        } catch let unusable as ClientUnavailable {
            // Another process that claims the batch would fail in the same way.
            await pauseRun(.configuration("\(unusable) Then resume."))
            // If the pause is not stored, wait before the batch is claimed again.
            await loop.pause(for: job.options.unavailableRetryDelay)
            return await end(.released)
        } catch {
            // The recipients could not be read. No window is declared: the next holder goes on at the same position.
            job.logger.warning("batch released", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            // Released immediately, the batch would be claimed again immediately, in an endless loop.
            await loop.pause(for: job.options.unavailableRetryDelay)
            return await end(.released)
        }
    }

    /// Suppresses the recipients if the app never had a credential for the environment. If it had one, the credential
    /// may be about to be replaced, so the run is paused.
    private func endWithoutClient() async throws -> End {
        let isLost = try await job.pauses.hasLostCredential(batch)
        guard isLost, !batch.isEnvironmentProbe else {
            progress.endRemaining(OutcomeCode.suppressedNoCredential)
            return await end(.done)
        }
        let environment = batch.environment.name
        await pauseRun(
            .configuration(
                "The app's .p8 key for Apple's \(environment) environment was removed. Add one, then resume."))
        await loop.pause(for: job.options.unavailableRetryDelay)
        return await end(.released)
    }

    /// A batch that has left its place reads only the recipients that it still has to send to.
    private func readRecipients() async throws -> RecipientRows {
        recipientsReadAt = .now()
        let some = hasLeft ? progress.unsent : nil
        let rows = try await job.recipients.recipients(
            of: batch, some: some.map { $0.map { batch.recipients[Int($0)] } },
            with: job.content.content.needs, values: job.content.source.values,
            consent: job.content.source.consent)
        return try RecipientRows(rows: rows, of: batch, some: some)
    }

    /// Reads the recipients again during slow sends: tokens, values and permission change meanwhile. Also when a late
    /// answer has added a recipient that was not read.
    private func refreshed(_ recipients: RecipientRows?) async throws -> RecipientRows {
        let usable = recipients.flatMap { $0.cover(progress.unsent) ? $0 : nil }
        if let usable, .now() - recipientsReadAt <= job.options.recipientsValidity { return usable }
        do {
            return try await readRecipients()
        } catch {
            guard let usable else { throw error }
            job.logger.warning(
                "recipients not refreshed", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            return usable
        }
    }

    // MARK: Windows

    private func send(with client: APNSClient) async throws -> End {
        var recipients: RecipientRows?
        var declared: DeclaredWindow?
        while true {
            await recordLate()
            guard flushes.phase == .idle else { return batchWasLost() }
            if let disposition = disposition() {
                if let declared { requeue(declared) }
                return await end(disposition)
            }
            let windows = self.windows ?? WindowPair()
            self.windows = windows
            let pushesPerSecond = job.states.pushesPerSecond(of: batch.run)
            let most = windowLimit(await client.windowSize, at: pushesPerSecond)
            let limit = await room(for: most, isFirst: declared == nil)
            // After the wait for room, during which late answers may add recipients to send to.
            let rows = try await refreshed(recipients)
            recipients = rows
            var next = compose(rows, limit: limit, into: windows.other(than: declared?.window))
            next?.pushesPerSecond = pushesPerSecond
            if let current = declared {
                async let sent: Void = send(current, with: client)
                let isStored = await declare(&next)
                await sent
                guard isStored else { return batchWasLost() }
                await record(current)
            } else if next != nil {
                guard await declare(&next) else { return .lost }
            } else if progress.isExhausted, late.isEmpty {
                return await end(.done)
            } else if !progress.hasNext {
                recipients = nil
                guard await waitForRest() else { return .lost }
            }
            if let next {
                job.onEvent?(.windowDeclared(batch.id, count: next.window.count))
                next.window.allow(until: sendDeadline)
            }
            if isAPNSUnavailable {
                isAPNSUnavailable = false
                await loop.pause(for: job.options.unavailableRetryDelay)
            }
            declared = next
        }
    }

    /// The disposition that ends the batch before all pushes are sent; nil to continue.
    func disposition() -> FlushStore.Disposition? {
        if job.isStopping() { return .released }
        switch job.states[batch.run] ?? runState {
        case .sending: break
        case .paused: return .released
        case .cancelled, .finished:
            // The declared window that is not on the wire is requeued first, and then cancelled with the rest.
            return .done
        }
        if isExpired { return .done }
        return needsReevaluation || job.rejectionStop != nil ? .released : nil
    }

    /// Stores the pause again if that failed before, so that nothing more is sent.
    private func pauseIfThresholdExceeded() async {
        guard (job.states[batch.run] ?? runState) == .sending, let rejectionStop = job.rejectionStop else { return }
        guard await !pauseRun(rejectionStop) else { return }
        // Released immediately, the batch would be claimed again immediately.
        await loop.pause(for: job.options.unavailableRetryDelay)
    }

    private var isExpired: Bool { expiresAt.map { $0 <= .now() } ?? false }
    private var needsReevaluation: Bool { reevaluateAt.map { $0 <= .now() } ?? false }

    /// Requeues recipients that are declared and certainly not on the wire.
    func requeue(_ declared: DeclaredWindow) {
        for index in declared.indices { progress.requeue(Int(index)) }
    }

    /// Sends a window. Meanwhile renews the lease, and revokes the window when sending has to stop.
    private func send(_ declared: DeclaredWindow, with client: APNSClient) async {
        isOnWire = true
        async let watched: Void = watch(declared.window)
        let ending = await waitForStart(for: declared) ? client.send(declared.window) : .done
        isOnWire = false
        signal.call()
        await watched
        if case .unavailable(let error) = ending {
            isAPNSUnavailable = true
            if case .slowedDown(let answer) = error {
                waiting.answered(answer.reason.rawValue, .apple, at: answer.at)
            }
            // The client logs once that Apple can't be reached; each batch would repeat it every second.
            job.logger.debug(
                "pushes waiting for APNs", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }

    private func watch(_ window: PushWindow) async {
        var renewal = MonotonicTime.now() + job.options.renewal
        while isOnWire {
            await signal.sleep(upTo: Self.watchInterval)
            guard isOnWire else { return }
            if disposition() != nil || window.hasStopResponse { window.revoke() }
            guard .now() >= renewal else { continue }
            guard await flush(.held(lease: job.options.lease)) else { return }
            window.allow(until: sendDeadline)
            renewal = .now() + job.options.renewal
        }
    }

    /// Until when pushes may be sent: the lease lasts, and the run is neither expired nor due for re-evaluation.
    private var sendDeadline: MonotonicTime {
        let safe = flushes.lease.sendDeadline(job.options)
        return [safe, expiresAt, reevaluateAt].compactMap { $0 }.min() ?? safe
    }

    /// Gives its place to another batch, unless too much waits already.
    func leaveIfAllowed() async {
        if !hasLeft, !hasCredentialFault, let windows {
            hasLeft = await leavePlace(windows, progress.unsent.count + late.count)
        }
        if hasLeft { windows = nil }
    }

    // MARK: The end

    private func end(_ disposition: FlushStore.Disposition) async -> End {
        guard await resolveLate() else { return batchWasLost() }
        if case .done = disposition {
            let isCancelled = [.cancelled, .finished].contains(job.states[batch.run] ?? runState)
            if isCancelled || isExpired {
                progress.endRemaining(isCancelled ? OutcomeCode.cancelled : OutcomeCode.expired)
            }
            deferrals = await deferrals(isOver: isCancelled || isExpired)
        }
        guard await flush(disposition) else { return .lost }
        if case .done = disposition { return .done }
        return .released
    }

    /// Another process holds the batch, or it cannot be stored: nothing more may be done with it.
    private func batchWasLost() -> End {
        job.logger.warning("batch lost to another process", metadata: ["batch": "\(batch.id)"])
        return .lost
    }
}
