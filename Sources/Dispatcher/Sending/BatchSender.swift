import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Store

/// Sends one claimed batch, window by window: declares a window, sends it once the declaration is committed, and
/// declares the next one meanwhile. The outcomes of a window are stored with the declaration of the second one after it.
///
/// At most two windows are declared without stored outcomes, and the late pushes of earlier ones, and only as many of
/// their recipients as the process's `UnresolvedBudget` has room for.
///
/// `NextStep` decides, `BatchRecord` remembers what became of the recipients, and `BatchLease` stores it.
///
/// Docs/decisions/sending.md explains the order of these steps.
actor BatchSender {
    enum End: Sendable { case done, released, lost }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let batch: ClaimedBatch
    let job: SendingJob
    let process: SendingDependencies
    let lease: BatchLease
    /// Called when a late push is answered, a window has returned, or there is room in the budget.
    let signal: WakeUpSignal
    var rateLimitWindow = RateLimitWindow()
    /// Results of late pushes that were not recorded yet.
    var lateResults: [(id: LatePushes.ID, result: PushResult)] = []
    /// Why the run has to be paused.
    var stop: StopReason?
    /// A window is being sent, or waits for its start.
    var isOnWire = false
    /// The client can't send at the moment.
    var isAPNSUnavailable = false
    private let recipients: BatchRecipients
    private var composer: WindowComposer
    /// Nil while the batch waits without a place.
    private var windows: WindowPair?
    private var hasLeft = false
    /// Gives up the batch's place and its windows, with the number of recipients that are left; false if too many wait
    /// already.
    private let leavePlace: @Sendable (WindowPair, Int) async -> Bool

    /// `claimBegan` is when the claim was requested: the lease ends no earlier than `claimBegan` plus its length.
    init(
        batch: ClaimedBatch, job: SendingJob, windows: WindowPair, claimBegan: MonotonicTime,
        leavePlace: @escaping @Sendable (WindowPair, Int) async -> Bool
    ) {
        self.batch = batch
        self.job = job
        self.windows = windows
        self.leavePlace = leavePlace
        process = job.dependencies
        loop = process.loop
        signal = WakeUpSignal(loop: process.loop)
        lease = BatchLease(of: batch, job: job, claimBegan: claimBegan, signal: signal)
        recipients = BatchRecipients(of: batch, job: job)
        composer = WindowComposer(batch, job)
    }

    func run() async -> End {
        let end = await sendBatch()
        lease.end()
        if end == .lost {
            process.logger.warning("batch lost to another process", metadata: .batch(batch))
        }
        return end
    }

    /// Does one step after another until the batch ends.
    func send(with client: APNSClient) async throws -> End {
        var declared: DeclaredWindow?
        while true {
            await recordLate()
            let step = NextStep(
                lease.record, isHeld: lease.isHeld, ending: lease.ending, hasDeclared: declared != nil)
            switch step {
            case .giveUp: return .lost
            case .end(let ending):
                if let declared { lease.record.requeue(declared) }
                return await end(ending)
            case .declare, .send:
                var next = step == .declare ? try await compose(beside: declared, for: client) : nil
                guard await send(declared, declaring: &next, with: client) else { return .lost }
                declared = next
            case .rest:
                guard await rest() else { return .lost }
            }
            if isAPNSUnavailable {
                isAPNSUnavailable = false
                await loop.pause(for: process.options.unavailableRetryDelay)
            }
        }
    }

    /// The next window; nil when no recipient can be declared now.
    private func compose(beside declared: DeclaredWindow?, for client: APNSClient) async throws -> DeclaredWindow? {
        let windows = self.windows ?? WindowPair()
        self.windows = windows
        let pushesPerSecond = process.states.pushesPerSecond(of: batch.run)
        let limit = await room(
            for: windowLimit(await client.windowSize, at: pushesPerSecond), isFirst: declared == nil)
        // After the wait for room, during which late answers may add recipients to send to.
        let rows = try await recipients.rows(for: lease.record.progress.unsent, onlyThem: hasLeft)
        var next = composer.compose(
            &lease.record.progress, rows, limit: limit, into: windows.other(than: declared?.window), late: latePushes())
        next?.pushesPerSecond = pushesPerSecond
        return next
    }

    /// Sends the declared window, and declares the next one meanwhile. False when the batch is lost.
    private func send(
        _ declared: DeclaredWindow?, declaring next: inout DeclaredWindow?, with client: APNSClient
    ) async -> Bool {
        if let declared {
            async let sent: Void = send(declared, with: client)
            let isStored = await declare(&next)
            await sent
            guard isStored else { return false }
            await record(declared)
        } else if next != nil {
            guard await declare(&next) else { return false }
        }
        if let next {
            process.onEvent?(.windowDeclared(batch.id, count: next.window.count))
            next.window.allow(until: lease.sendDeadline)
        }
        return true
    }

    /// Waits for late and deferred recipients. Other batches have the place meanwhile. False when the batch is lost.
    private func rest() async -> Bool {
        recipients.forget()
        // All outcomes so far are stored, so their recipients are not unknown if this process is lost meanwhile.
        guard await lease.renew() else { return false }
        await leaveIfAllowed()
        var rest = BatchRest()
        return await lease.whileHolding(storingLateEvery: BatchRest.longestWait) {
            guard lease.ending == nil else { return nil }
            await recordLate()
            switch rest.next(lease.record, delays: process.options.retryDelays, at: .now()) {
            case .over: return nil
            case .retry:
                lease.record.progress.endDelay()
                return nil
            case .wait(let patience): return patience
            }
        }
    }

    /// Gives its place to another batch, unless too much waits already. With a credential that may be wrong it keeps it:
    /// no further batches should be tried meanwhile.
    private func leaveIfAllowed() async {
        if !hasLeft, !lease.record.hasCredentialFault, let windows {
            hasLeft = await leavePlace(windows, lease.record.waitingCount)
        }
        if hasLeft { windows = nil }
    }
}
