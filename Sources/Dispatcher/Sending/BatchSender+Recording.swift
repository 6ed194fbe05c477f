import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

extension BatchSender {
    /// Takes a window's results into the ledger.
    func record(_ declared: DeclaredWindow) async {
        let codes = await job.codes.rejections(in: declared.window, reasons: job.reasons, logger: job.logger)
        var accepted = 0
        var rejected: [ReasonTable.Number: Int] = [:]
        let suspects = progress.suspects.count
        for (place, index) in declared.indices.enumerated() {
            let index = Int(index)
            let result = declared.window.results[place]
            switch result.state {
            case .answered where result.status == 200:
                progress.record(index, OutcomeCode.accepted)
                accepted += 1
            case .answered:
                if refused(index, result, code: codes[result.reason] ?? OutcomeCode.rejectedOther) {
                    rejected[result.reason, default: 0] += 1
                }
            case .unsent: progress.putBack(index)
            case .deadlinePassed: progress.unknown(index, OutcomeCode.unknownDeadline)
            case .streamReset: progress.unknown(index, OutcomeCode.unknownReset)
            case .connectionLost, .inFlight: progress.unknown(index, OutcomeCode.unknownConnectionLost)
            }
        }
        job.onEvent?(.windowAnswered(batch.id, count: declared.indices.count))
        // Whom a trial asks about was counted where he came from: trials come last and together, and would look like a
        // run of which nothing is accepted any more.
        if !batch.isTrial {
            brake(accepted: accepted, rejected: rejected, suspects: progress.suspects.count - suspects)
        }
        if let stop { await pauseRun(stop) }
    }

    /// True when that is the last word about him.
    private func refused(_ index: Int, _ result: PushResult, code: UInt8) -> Bool {
        switch result.action {
        case .retryDevice: return !putOff(index, .device, code)
        case .reconnect, .renewToken, .stop:
            guard let reason = ReasonTable.reason(result.reason), reason.isOfCredentialIfItStays else {
                return !putOff(index, .apple, code)
            }
            // Another connection or another token may help yet.
            let maySettle = reason.action != .stop
            if maySettle, progress.delay(index, atMost: job.options.retryDelays.count) { return false }
            // Nothing is wrong with the recipient: he is sent to when the trouble is over.
            progress.putBack(index)
            stop = .trouble(job.explain(result, batch.environment))
            return false
        case .retryLater, .keepToken: return !putOff(index, .apple, code)
        case .dropToken:
            progress.record(index, code)
            guard result.timestamp > 0 else { return true }
            gone.append(
                RetiringStore.Gone(
                    device: batch.recipients[index], since: result.timestamp,
                    isExpiredToken: ReasonTable.reason(result.reason) == .expiredToken))
        case .suspectToken: progress.suspect(index, code)
        case .fix, .detachToken, nil: progress.record(index, code)
        }
        return true
    }

    /// Inside this lease for a while, then in a later batch. What is worth delivering now or never is not put off so far.
    private func putOff(_ index: Int, _ reason: BatchProgress.Postponement, _ code: UInt8) -> Bool {
        if progress.delay(index, atMost: job.options.retryDelays.count) { return true }
        guard job.content.source.expiration > 0 else {
            progress.record(index, code)
            return false
        }
        progress.postpone(index, reason)
        return true
    }
}
