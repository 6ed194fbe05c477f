import APNS
import Application
import Campaigns
import EventLoop
import JSON
import Notifications
import Store

/// Records the results of pushes, and does what they mean beyond their recipients' outcomes.
extension BatchSender {
    /// The pushes whose answers come after their window: the batch goes on meanwhile.
    nonisolated func latePushes() -> LatePushes {
        LatePushes { [weak self] id, result in self?.assumeIsolated { $0.take(id, result) } }
    }

    private func take(_ id: LatePushes.ID, _ result: PushResult) {
        lateResults.append((id, result))
        signal.call()
    }

    /// Records the late results that have come.
    func recordLate() async {
        guard !lateResults.isEmpty else { return }
        let results = lateResults
        lateResults.removeAll(keepingCapacity: true)
        let codes = await codes(of: results.map(\.result).filter(\.isRejected))
        await perform(lease.record.record(late: results, codes, at: .now()))
    }

    func record(_ declared: DeclaredWindow) async {
        let codes = await codes(of: declared.window.rejections)
        let findings = lease.record.record(declared, codes, at: .now())
        process.onEvent?(.windowAnswered(batch.id, count: declared.indices.count))
        await perform(findings)
    }

    private func codes(of rejections: [PushResult]) async -> BatchRecord.Codes {
        guard !rejections.isEmpty else { return [:] }
        return await process.codes.codes(of: rejections, reasons: process.reasons, logger: process.logger)
    }

    private func perform(_ findings: BatchRecord.Findings) async {
        process.retirements.add(
            findings.gone.compactMap {
                DeviceRetirementStore.InvalidatedToken($0.result, device: batch.recipients[Int($0.recipient)])
            }, app: batch.app)
        if let fault = findings.fault { stop = stopReason(fault) }
        // Recipients of an environment probe were counted in their first batch. Probes run last and together: counted
        // again, they would look like a run whose pushes are all rejected.
        if !batch.isEnvironmentProbe {
            job.health.withLock {
                $0.count(
                    accepted: findings.accepted, rejected: findings.rejected, mismatches: findings.mismatches)
            }
            stop = stop ?? job.rejectionStop
        }
        if let fault = findings.lastingFault { stop = stop ?? stopReason(fault) }
        if let stop { await job.pause(batch.runKey, because: stop) }
    }

    private func stopReason(_ fault: PushResult) -> StopReason {
        let code = process.reasons.text(fault.reason)
        let message = fault.reasonToStop(
            code: code, topic: job.content.source.bundleID.text, environment: batch.environment.name)
        return .configuration(message, .init(reason: code, environment: batch.environment))
    }
}
