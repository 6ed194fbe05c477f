import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

extension BatchSender {
    /// Records a window's results in the ledger. Those of late pushes come later.
    func record(_ declared: DeclaredWindow) async {
        let codes = await codes(of: declared.window.rejections)
        var tally = Tally()
        for (position, recipient) in declared.indices.enumerated() {
            let result = declared.window.results[position]
            if result.state == .late {
                late[LatePushes.ID(window: declared.window.number, index: position)] = recipient
            } else {
                record(Int(recipient), result, codes, in: &tally)
            }
        }
        job.onEvent?(.windowAnswered(batch.id, count: declared.indices.count))
        await finish(tally)
    }

    /// Records the results of recipients, by index.
    func record(_ results: [(index: Int32, result: PushResult)]) async {
        let codes = await codes(of: results.map(\.result).filter(\.isRejected))
        var tally = Tally()
        for (index, result) in results { record(Int(index), result, codes, in: &tally) }
        await finish(tally)
    }

    private func codes(of rejections: [PushResult]) async -> [ReasonTable.Number: UInt8] {
        rejections.isEmpty ? [:] : await job.codes.codes(of: rejections, reasons: job.reasons, logger: job.logger)
    }

    /// Answers that are looked at together: those that count towards the rejection threshold, and the last of those for
    /// which recipients wait.
    private struct Tally {
        var accepted = 0
        var rejected: [ReasonTable.Number: Int] = [:]
        var mismatches = 0
        /// Another connection or another token may help.
        var credentialFault: PushResult?
        var waiting: [BatchProgress.Postponement: ReasonTable.Number] = [:]
    }

    private func record(
        _ index: Int, _ result: PushResult, _ codes: [ReasonTable.Number: UInt8], in tally: inout Tally
    ) {
        switch PushVerdict(result, codes: codes) {
        case .accepted:
            progress.record(index, OutcomeCode.accepted)
            tally.accepted += 1
        case .refused(let reaction, let code):
            let isFinal = refused(index, result, reaction, code, in: &tally)
            if isFinal { tally.rejected[result.reason, default: 0] += 1 }
            if reaction.token == .unknown || reaction.token == .foreign { tally.mismatches += 1 }
        case .unsent: progress.requeue(index)
        case .unknown(let code): progress.unknown(index, code)
        }
    }

    private func finish(_ tally: Tally) async {
        // Recipients of an environment probe were counted in their first batch. Probes run last and together: counted
        // again, they would look like a run whose pushes are all rejected.
        if !batch.isEnvironmentProbe {
            checkRejectionThreshold(
                accepted: tally.accepted, rejected: tally.rejected, mismatches: tally.mismatches)
        }
        stopIfCredentialFaultLasts(tally)
        if tally.accepted > 0, progress.delayed.isEmpty, progress.postponed.isEmpty { waiting.ended() }
        for (kind, reason) in tally.waiting { waiting.answered(job.reasons.text(reason), kind, at: .now()) }
        if let stop { await pauseRun(stop) }
    }

    /// The credential's fault concerns all recipients, so it is counted for the batch, as the client tries it with few.
    private func stopIfCredentialFaultLasts(_ tally: Tally) {
        if tally.accepted > 0 { credentialFaults = 0 }
        guard tally.accepted == 0, let fault = tally.credentialFault else { return }
        credentialFaults += 1
        guard credentialFaults > job.options.retryDelays.count else { return }
        stop = stop ?? .configuration(explain(fault))
    }

    private func explain(_ fault: PushResult) -> String {
        fault.reasonToStop(
            code: job.reasons.text(fault.reason), topic: job.content.source.bundleID.text,
            environment: batch.environment.name)
    }

    /// True when the rejection is final.
    private func refused(
        _ index: Int, _ result: PushResult, _ reaction: Reaction, _ code: UInt8, in tally: inout Tally
    ) -> Bool {
        if reaction.blamesCredential {
            refusedForCredential(index, result, mayRecover: reaction.push != .ends, in: &tally)
            return false
        }
        switch reaction.push {
        case .waitsForDevice: return !isDeferred(index, result, .device, code, in: &tally)
        case .waitsForApple: return !isDeferred(index, result, .apple, code, in: &tally)
        case .ends: break
        }
        if reaction.token == .unknown {
            progress.recordMismatch(index, code)
        } else {
            progress.record(index, code)
        }
        if let token = DeviceRetirementStore.InvalidatedToken(result, device: batch.recipients[index]) {
            job.retirements.add(CollectionOfOne(token), app: batch.app)
        }
        return true
    }

    /// The recipient is not the cause: the push is sent after the error is fixed.
    private func refusedForCredential(_ index: Int, _ result: PushResult, mayRecover: Bool, in tally: inout Tally) {
        if mayRecover { tally.credentialFault = result }
        hasCredentialFault = true
        tally.waiting[.apple] = result.reason
        if mayRecover, progress.delay(index, atMost: job.options.retryDelays.count) { return }
        progress.requeue(index)
        stop = .configuration(explain(result))
    }

    private func isDeferred(
        _ index: Int, _ result: PushResult, _ kind: BatchProgress.Postponement, _ code: UInt8, in tally: inout Tally
    ) -> Bool {
        guard deferPush(index, kind, code) else { return false }
        tally.waiting[kind] = result.reason
        return true
    }

    /// Retries within this lease, then in a later batch. False when the push is only worth delivering now: then `code`
    /// is final.
    private func deferPush(_ index: Int, _ kind: BatchProgress.Postponement, _ code: UInt8) -> Bool {
        if progress.delay(index, atMost: job.options.retryDelays.count) { return true }
        guard job.content.source.expiration > 0 else {
            progress.record(index, code)
            return false
        }
        progress.postpone(index, kind)
        return true
    }
}
