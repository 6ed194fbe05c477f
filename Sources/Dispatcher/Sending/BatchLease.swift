import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// The lease of one batch: stores the batch's progress, which renews the lease, and knows until when pushes may be sent.
/// All that waits does so in `whileHolding`, so no wait outlasts the lease.
///
/// It belongs to the batch's sender and runs where that runs.
final class BatchLease {
    /// What becomes of the recipients. It is stored with each flush.
    var record: BatchRecord
    /// The part of the process's budget that the batch has.
    var share: BudgetShare
    private(set) var limits = SendingLimits()

    private let batch: ClaimedBatch
    private let job: SendingJob
    private let process: SendingDependencies
    private let signal: WakeUpSignal
    private var flushes: FlushState
    /// The outcomes that were reported to metrics last.
    private var reported: OutcomeCounts
    private var isFlushing = false
    private var flushWaiters = WaitingTasks()

    /// `claimBegan` is when the claim was requested: the lease ends no earlier than `claimBegan` plus its length.
    /// `signal` wakes waits.
    init(of batch: ClaimedBatch, job: SendingJob, claimBegan: MonotonicTime, signal: WakeUpSignal) {
        self.batch = batch
        self.job = job
        self.signal = signal
        process = job.dependencies
        let progress = BatchProgress(
            outcomes: batch.outcomes, sentThrough: batch.sentThrough, policy: job.content.source.unknownPolicy,
            mismatchCode: job.mismatchCode)
        record = BatchRecord(
            progress,
            BatchRecord.Rules(
                retries: process.options.retryDelays.count, mayWait: job.content.source.expiration > 0,
                reasons: process.reasons),
            waiting: WaitingAnswers(mayBeInRow: batch.retries > 0 || batch.attempt > 1))
        share = BudgetShare(of: process.unresolved)
        flushes = FlushState(
            attempt: batch.attempt, flushSequence: batch.flushSequence, claimBegan: claimBegan)
        reported = OutcomeCounts(batch.outcomes)
        reported[job.mismatchCode] -= progress.mismatches.count
    }

    /// Whether nothing suggests that another process has the batch. Only then it may be sent.
    var isHeld: Bool { flushes.phase == .idle }

    /// How the batch has to end before all pushes are sent; nil to continue.
    var ending: BatchEnding? {
        let circumstances = SendingLimits.Circumstances(
            isStopping: process.stop.isStopping, state: process.states[batch.run],
            isOverThreshold: job.rejectionStop != nil)
        return limits.ending(circumstances, at: .now())
    }

    /// Whether the run is over.
    var over: SendingLimits.Over? { limits.over(process.states[batch.run], at: .now()) }

    /// Until when pushes may be sent: the lease lasts, and the run is neither expired nor due for re-evaluation.
    var sendDeadline: MonotonicTime { limits.sendDeadline(within: flushes.lease.sendDeadline(process.options)) }

    /// The batch is no longer held: its part of the budget is free, and its flushes need not be remembered.
    func end() {
        share.keep(0)
        process.flushMemory.ended(batch.id)
    }

    // MARK: Waiting

    /// Asks `next` again and again how long to wait at most, until it says nil. Renews the lease meanwhile, and with
    /// `interval` stores late outcomes as often. False when the batch is lost.
    func whileHolding(storingLateEvery interval: Duration? = nil, _ next: () async -> Duration?) async -> Bool {
        var stored = MonotonicTime.now()
        while let patience = await next() {
            let rest = record.hasUnstoredLate ? interval ?? process.options.renewal : process.options.renewal
            if .now() >= stored + min(rest, process.options.renewal) {
                guard await renew() else { return false }
                stored = .now()
            } else {
                await signal.sleep(upTo: patience)
            }
        }
        return true
    }

    // MARK: Flushes

    /// Stores the current progress and keeps the lease. False when the batch is lost.
    func renew() async -> Bool { await flush(.held(lease: process.options.lease)) }

    /// Stores the current progress. False when the batch is lost. Flushes run one at a time: a renewal and a
    /// declaration may coincide.
    func flush(_ disposition: FlushStore.Disposition, deferrals: [BatchDeferral] = []) async -> Bool {
        while isFlushing { await withUnsafeContinuation { flushWaiters.add($0) } }
        isFlushing = true
        defer {
            isFlushing = false
            flushWaiters.resumeAll()
        }
        while let sequence = flushes.begin(at: .now()) {
            let counts = record.progress.counts
            let flush = makeFlush(sequence, counts.ledger(kinds: job.kinds), disposition, deferrals)
            let unresolved = record.progress.unresolved
            let outcomes = certain(counts, disposition)
            switch await store(flush) {
            case .stored:
                process.metrics.stored(outcomes, after: reported)
                reported = outcomes
                remember(flush)
                record.stored()
                share.keep(unresolved)
                return true
            case .flushAgain:
                // The error may persist, a full disk for example. Then the batch is left to another process.
                if process.stop.isPastDrainTimeout { return false }
                await process.loop.pause(for: process.options.unavailableRetryDelay)
            case .lost: return false
            }
        }
        return false
    }

    private func makeFlush(
        _ sequence: Int32, _ ledger: Ledger, _ disposition: FlushStore.Disposition, _ deferrals: [BatchDeferral]
    ) -> FlushStore.Flush {
        FlushStore.Flush(
            of: batch, sequence: sequence, sentThrough: record.progress.sentThrough,
            outcomes: record.progress.outcomes, ledger: ledger, disposition: disposition,
            deferrals: deferrals, answer: record.note(at: .now()))
    }

    private func store(_ flush: FlushStore.Flush) async -> FlushState.Verdict {
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let stored = try await process.flushes.store(flush)
            process.metrics.flushTook(.now() - began)
            if let stored {
                limits.stored(stored, began: began)
                // The row reports a pause before the next poll does.
                if stored.runState != .sending { process.states.set(stored.runState, of: batch.run) }
            }
            return flushes.answered(isStored: stored != nil)
        } catch {
            flushes.interrupted()
            record.interrupted(flush.answer)
            process.logger.warning(
                "flush result ambiguous", metadata: .batch(batch, ["reason": "\(error)"]))
            return await rereadRow()
        }
    }

    /// Reads the row until the database answers. Nothing is sent meanwhile: the caller waits.
    private func rereadRow() async -> FlushState.Verdict {
        while true {
            do throws(PostgresError) {
                let row = try await process.flushes.row(of: batch)
                return flushes.reread(
                    row.flatMap { $0.isOurs || $0.flushSequence > flushes.stored ? $0 : nil }
                        .map { ($0.attempt, $0.flushSequence) })
            } catch {
                if process.stop.isPastDrainTimeout { return .lost }
                await process.loop.pause(for: process.options.unavailableRetryDelay)
            }
        }
    }

    /// The outcomes for metrics. Mismatches are not final until the batch is done: the other environment may accept them.
    private func certain(_ counts: OutcomeCounts, _ disposition: FlushStore.Disposition) -> OutcomeCounts {
        if case .done = disposition { return counts }
        var counts = counts
        counts[job.mismatchCode] -= record.progress.mismatches.count
        return counts
    }

    private func remember(_ flush: FlushStore.Flush) {
        let isHeld = if case .held = flush.disposition { true } else { false }
        process.flushMemory.confirmed(
            ConfirmedFlush(app: batch.app, batch: batch.id, attempt: flush.attempt, sequence: flush.sequence),
            isHeld: isHeld)
    }
}
