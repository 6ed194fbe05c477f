import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

extension BatchSender {
    /// Records a window's results in the ledger.
    func record(_ declared: DeclaredWindow) async {
        let codes = await job.codes.rejections(in: declared.window, reasons: job.reasons, logger: job.logger)
        var accepted = 0
        var rejected: [ReasonTable.Number: Int] = [:]
        let earlierMismatches = progress.mismatches.count
        for (position, recipient) in declared.indices.enumerated() {
            let index = Int(recipient)
            let result = declared.window.results[position]
            switch PushVerdict(result, codes: codes) {
            case .accepted:
                progress.record(index, OutcomeCode.accepted)
                accepted += 1
            case .refused(let code):
                if refused(index, result, code: code) { rejected[result.reason, default: 0] += 1 }
            case .unsent: progress.requeue(index)
            case .unknown(let code): progress.unknown(index, code)
            }
        }
        job.onEvent?(.windowAnswered(batch.id, count: declared.indices.count))
        // Recipients of an environment probe were counted in their first batch. Probes run last and together: counted
        // again, they would look like a run whose pushes are all rejected.
        if !batch.isEnvironmentProbe {
            checkRejectionThreshold(
                accepted: accepted, rejected: rejected, mismatches: progress.mismatches.count - earlierMismatches)
        }
        if let stop { await pauseRun(stop) }
    }

    /// True when the rejection is final.
    private func refused(_ index: Int, _ result: PushResult, code: UInt8) -> Bool {
        switch result.action {
        case .retryDevice: return !deferPush(index, .device, code)
        case .reconnect, .renewToken, .stop:
            guard let reason = ReasonTable.reason(result.reason), reason.isCredentialFaultIfPersistent else {
                return !deferPush(index, .apple, code)
            }
            // Another connection or another token may help.
            let mayRecover = reason.action != .stop
            hasCredentialFault = true
            if mayRecover, progress.delay(index, atMost: job.options.retryDelays.count) { return false }
            // The recipient is not the cause: the push is sent after the error is fixed.
            progress.requeue(index)
            stop = .configuration(job.explain(result, batch.environment))
            return false
        case .retryLater, .keepToken: return !deferPush(index, .apple, code)
        case .dropToken:
            progress.record(index, code)
            if let token = DeviceRetirementStore.InvalidatedToken(result, device: batch.recipients[index]) {
                invalidatedTokens.append(token)
            }
        case .checkTokenEnvironment: progress.recordMismatch(index, code)
        case .fixRequest, .detachToken, nil: progress.record(index, code)
        }
        return true
    }

    /// Retries within this lease, then in a later batch. False when the push is only worth delivering now: then `code`
    /// is final.
    private func deferPush(_ index: Int, _ reason: BatchProgress.Postponement, _ code: UInt8) -> Bool {
        if progress.delay(index, atMost: job.options.retryDelays.count) { return true }
        guard job.content.source.expiration > 0 else {
            progress.record(index, code)
            return false
        }
        progress.postpone(index, reason)
        return true
    }
}
