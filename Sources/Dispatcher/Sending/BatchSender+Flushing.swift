import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// How the progress gets into the batch's row, and what is done when nobody can say whether it did.
extension BatchSender {
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
                judgedAnewAt = stored.judgedAnewIn.map { began + $0 }
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
