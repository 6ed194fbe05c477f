import APNS
import Application
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
    var triedLedger: Ledger
    var toldLedger: Ledger
    var runState = RunRecord.State.sending
    /// Nil until a flush has told.
    var expiresAt: MonotonicTime?
    /// From then on its recipients are to be judged anew: it is quiet where they are, say.
    var judgedAnewAt: MonotonicTime?
    private var isAppleAway = false
    private var recipientsReadAt = MonotonicTime.now()
    /// Whom the last flush hands over to other batches.
    var moves: [BatchMove] = []
    private let alarm: WakeUp
    /// For waits inside a flush: a renewal may sleep on the other alarm meanwhile, and one alarm wakes one.
    let flushAlarm: WakeUp
    /// For plain waits of the batch: nobody calls it.
    let pauseAlarm: WakeUp
    var paceSpan = PaceSpan()
    private var isOnWire = false
    var isFlushing = false
    var flushWaiters: [UnsafeContinuation<Void, Never>] = []

    /// `claimBegan` is when the claim was asked for: the lease ends no earlier than that plus the lease.
    init(batch: ClaimedBatch, job: SendingJob, windows: WindowPair, claimBegan: MonotonicTime) {
        self.batch = batch
        self.job = job
        self.windows = windows
        composer = ContentComposer(job.content.content, now: job.clock.estimate)
        loop = job.loop
        alarm = WakeUp(loop: job.loop)
        flushAlarm = WakeUp(loop: job.loop)
        pauseAlarm = WakeUp(loop: job.loop)
        progress = BatchProgress(
            outcomes: batch.outcomes, sentThrough: batch.sentThrough, policy: job.content.source.unknownPolicy,
            suspectCode: job.suspectCode)
        flushes = FlushState(
            attempt: batch.attempt, flushSequence: batch.flushSequence, claimBegan: claimBegan)
        var told = BatchProgress.ledger(of: batch.outcomes, kinds: job.kinds)
        told[.rejected] -= progress.suspects.count
        toldLedger = told
        triedLedger = told
    }

    func run() async -> End {
        await pauseIfBraking()
        // What was cancelled is written off without a client, which there may not be.
        if let standing = standing() { return await end(standing) }
        do {
            guard let client = try await job.clients.client(for: batch.app, batch.environment) else {
                return try await endWithoutClient()
            }
            return await send(try await readRecipients(), with: client)
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

    /// Where nobody ever signed for the environment, its devices are left out. A key that was there may be about to be
    /// replaced: that is for a person.
    private func endWithoutClient() async throws -> End {
        let isLost = try await job.pauses.hasLostCredential(batch)
        guard isLost, !batch.isTrial else {
            progress.endRest(OutcomeCode.suppressedNoCredential)
            return await end(.done)
        }
        let environment = batch.environment.name
        await pauseRun(
            .trouble("The app's .p8 key for Apple's \(environment) environment is gone. Add one, then resume."))
        await alarm.sleep(upTo: job.options.pauseWhenAway)
        return await end(.released)
    }

    private func readRecipients() async throws -> RecipientRows {
        recipientsReadAt = .now()
        let rows = try await job.recipients.recipients(
            of: batch, with: job.content.content.needs, consent: job.content.source.consent)
        return try RecipientRows(rows: rows, of: batch)
    }

    /// Where a batch is sent slowly, tokens, values and permission change meanwhile.
    private func refresh(_ recipients: inout RecipientRows) async {
        guard .now() - recipientsReadAt > job.options.recipientsValidity else { return }
        do {
            recipients = try await readRecipients()
        } catch {
            job.logger.warning(
                "recipients could not be read anew", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }

    // MARK: The way of a window

    private func send(_ first: RecipientRows, with client: APNSClient) async -> End {
        var recipients = first
        var declared: DeclaredWindow?
        while true {
            await refresh(&recipients)
            if let standing = standing() {
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
                await pauseAlarm.sleep(upTo: job.options.pauseWhenAway)
            }
            declared = next
        }
    }

    /// What ends the batch before everybody was sent to; nil to go on.
    func standing() -> FlushStore.Standing? {
        if job.isStopping() { return .released }
        switch job.states[batch.run] ?? runState {
        case .sending: break
        case .paused: return .released
        case .cancelled, .finished:
            // Who is declared and not on the wire is taken back first, and then written off with the rest.
            return .done
        }
        if isExpired { return .done }
        return isTooLate || job.braking != nil ? .released : nil
    }

    /// A pause that could not be stored is asked for again before anybody more is sent to.
    private func pauseIfBraking() async {
        guard (job.states[batch.run] ?? runState) == .sending, let braking = job.braking else { return }
        guard await !pauseRun(braking) else { return }
        // Given back at once, the batch would be claimed again at once.
        await alarm.sleep(upTo: job.options.pauseWhenAway)
    }

    private var isExpired: Bool { expiresAt.map { $0 <= .now() } ?? false }
    private var isTooLate: Bool { judgedAnewAt.map { $0 <= .now() } ?? false }

    /// Who was declared and is certainly not on the wire.
    private func takeBack(_ declared: DeclaredWindow) {
        for index in declared.indices { progress.putBack(Int(index)) }
    }

    /// Sends a window; for as long as that takes its lease is renewed, and it is called back when no more may go.
    private func send(_ declared: DeclaredWindow, with client: APNSClient) async {
        isOnWire = true
        async let watched: Void = watch(declared.window)
        let ending = await isTime(for: declared) ? client.send(declared.window) : .done
        isOnWire = false
        alarm.call()
        await watched
        if case .unavailable(let error) = ending {
            isAppleAway = true
            job.logger.warning(
                "pushes wait for APNs", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }

    private func watch(_ window: PushWindow) async {
        var renewal = MonotonicTime.now() + job.options.renewal
        while isOnWire {
            await alarm.sleep(upTo: Self.watchInterval)
            guard isOnWire else { return }
            if standing() != nil || window.asksToStop { window.recall() }
            guard .now() >= renewal else { continue }
            guard await flush(.held(lease: job.options.lease)) else { return }
            window.allow(until: mayTouchWireUntil)
            renewal = .now() + job.options.renewal
        }
    }

    /// While the lease is safe, and what is sent is worth it and welcome.
    private var mayTouchWireUntil: MonotonicTime {
        let safe = flushes.mayTouchWireUntil(
            lease: job.options.lease, requestDeadline: job.options.apns.requestDeadline, margin: job.options.margin)
        return [safe, expiresAt, judgedAnewAt].compactMap { $0 }.min() ?? safe
    }

    /// Pushes that Apple put off are sent again inside the lease, after a pause. False when the batch
    /// was lost meanwhile.
    private func waitForDelayed() async -> Bool {
        let delays = job.options.retryDelays
        let due = MonotonicTime.now() + delays[min(progress.longestDelay, delays.count) - 1]
        while .now() < due, standing() == nil {
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
            moves = await departures(isOver: isCancelled || isExpired)
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
}
