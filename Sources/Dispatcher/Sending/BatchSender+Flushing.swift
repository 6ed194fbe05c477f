import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Stores the progress in the batch's row, and resolves flushes whose result is ambiguous.
extension BatchSender {
    /// Stores the current progress. False when the batch is lost. Flushes run one at a time: a renewal and a
    /// declaration may coincide.
    func flush(_ disposition: FlushStore.Disposition) async -> Bool {
        while isFlushing { await withUnsafeContinuation { flushWaiters.add($0) } }
        isFlushing = true
        defer {
            isFlushing = false
            flushWaiters.resumeAll()
        }
        while let sequence = flushes.begin(at: .now()) {
            switch await store(sequence, disposition) {
            case .stored:
                job.metrics.stored(pendingLedger, after: reportedLedger)
                reportedLedger = pendingLedger
                remember(sequence, disposition)
                hasUnstoredLate = false
                job.unresolved.giveBack(taken - pendingUnresolved)
                taken = pendingUnresolved
                return true
            case .flushAgain:
                // The error may persist, a full disk for example. Then the batch is left to another process.
                if job.isPastDrainTimeout() { return false }
                await loop.pause(for: job.options.unavailableRetryDelay)
            case .lost: return false
            }
        }
        return false
    }

    private func remember(_ sequence: Int32, _ disposition: FlushStore.Disposition) {
        let isHeld = if case .held = disposition { true } else { false }
        job.flushMemory.confirmed(
            ConfirmedFlush(app: batch.app, batch: batch.id, attempt: batch.attempt, sequence: sequence),
            isHeld: isHeld)
    }

    private func store(_ sequence: Int32, _ disposition: FlushStore.Disposition) async -> FlushState.Verdict {
        let ledger = progress.ledger(kinds: job.kinds)
        pendingLedger = ledger
        pendingUnresolved = progress.unresolved
        // Mismatches are not final until the batch is done: the other environment may accept them.
        if case .done = disposition {} else { pendingLedger[.rejected] -= progress.mismatches.count }
        let flush = FlushStore.Flush(
            batch: batch.id, attempt: batch.attempt, sequence: sequence, sentThrough: progress.sentThrough,
            outcomes: progress.outcomes, ledger: ledger, disposition: disposition, deferrals: deferrals,
            answer: waiting.note(at: .now()))
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let stored = try await job.flushes.store(flush)
            job.metrics.flushTook(.now() - began)
            if let stored {
                runState = stored.runState
                // The row reports a pause before the next poll does.
                if runState != .sending { job.states.set(runState, of: batch.run) }
                // Counted from before the query, so at worst slightly too early.
                expiresAt = began + stored.expiresIn
                reevaluateAt = stored.reevaluateIn.map { began + $0 }
            }
            return flushes.answered(isStored: stored != nil)
        } catch {
            flushes.interrupted()
            waiting.interrupted(flush.answer)
            job.logger.warning("flush result ambiguous", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            return await rereadRow()
        }
    }

    /// Reads the row until the database answers. Nothing is sent meanwhile: the caller waits.
    private func rereadRow() async -> FlushState.Verdict {
        while true {
            do throws(PostgresError) {
                let row = try await job.flushes.row(of: batch.id)
                return flushes.reread(
                    row.flatMap { $0.isOurs || $0.flushSequence > flushes.stored ? $0 : nil }
                        .map { ($0.attempt, $0.flushSequence) })
            } catch {
                if job.isPastDrainTimeout() { return .lost }
                await loop.pause(for: job.options.unavailableRetryDelay)
            }
        }
    }
}
