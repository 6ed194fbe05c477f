import APNS
import Campaigns
import EventLoop
import Logging
import Store

/// Recipients that leave a batch at its end: for a later batch, or for the other environment.
extension BatchSender {
    /// Selects them and marks them as deferred. When the run is over, Apple's rejections are final.
    func deferrals(isOver: Bool) async -> [BatchDeferral] {
        var deferrals: [BatchDeferral] = []
        for reason in BatchProgress.Postponement.allCases {
            guard let indices = progress.postponed[reason]?.sorted(), !indices.isEmpty else { continue }
            let delay = laterDelay(reason)
            if let expiresAt, expiresAt <= .now() + delay {
                for index in indices { progress.skip(Int(index), OutcomeCode.expired) }
            } else {
                deferrals.append(
                    deferral(indices, after: delay, to: reason == .environment ? .otherEnvironment : .later))
            }
        }
        if batch.isEnvironmentProbe {
            await resolveEnvironmentProbe()
        } else if !isOver, await shouldProbeOtherEnvironment() {
            deferrals.append(deferral(progress.mismatches.sorted(), after: .zero, to: .environmentProbe))
        }
        return deferrals
    }

    private func deferral(_ indices: [Int32], after delay: Duration, to goal: BatchDeferral.Goal) -> BatchDeferral {
        BatchDeferral(
            delay: delay, goal: goal, recipients: indices.map { batch.recipients[Int($0)] },
            outcomes: indices.map { progress.handOff(Int($0)) })
    }

    private func laterDelay(_ reason: BatchProgress.Postponement) -> Duration {
        let first =
            switch reason {
            case .device: job.options.retryDeviceLater
            case .apple: job.options.retryLater
            case .environment: Duration.zero
            }
        return min(job.options.longestRetry, first * (1 << min(Int(batch.retries), 16)))
    }

    // MARK: Environment probe

    /// Whether the mismatches are few, both in the batch (of which another process may have sent most) and in the run,
    /// and the app has a credential for the other environment.
    private func shouldProbeOtherEnvironment() async -> Bool {
        let count = progress.mismatches.count
        guard count > 0, RunHealth.isWithinMismatchLimit(count, of: batch.recipients.count), job.allowsEnvironmentProbe
        else { return false }
        let other: PushEnvironment = batch.environment == .production ? .development : .production
        do {
            return try await job.clients.client(for: batch.app, other) != nil
        } catch {
            job.logger.warning(
                "environment probe skipped",
                metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            return false
        }
    }

    /// Corrects the environment of devices whose tokens were accepted; retires those that no environment knows.
    private func resolveEnvironmentProbe() async {
        let refused = progress.mismatches.map { batch.recipients[Int($0)] }
        let accepted = batch.recipients.indices
            .filter { OutcomeByte(rawValue: progress.outcomes[$0]).code == OutcomeCode.accepted }
            .map { batch.recipients[$0] }
        guard !(refused.isEmpty && accepted.isEmpty) else { return }
        // Mismatches may have exceeded the limit since the probe was planned.
        guard job.allowsEnvironmentProbe else {
            job.logger.notice(
                "environment probe ignored: too many unknown tokens", metadata: ["batch": "\(batch.id)"])
            return
        }
        do {
            try await job.retiring.resolveEnvironmentProbe(of: batch, accepted: accepted, refused: refused)
            job.logger.info(
                "environment probe finished",
                metadata: ["corrected": "\(accepted.count)", "retired": "\(refused.count)"])
        } catch {
            // The next campaign probes them again.
            job.logger.warning(
                "environment probe not stored", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }
}

extension SendingJob {
    fileprivate var allowsEnvironmentProbe: Bool { health.withLock { $0.allowsEnvironmentProbe } }
}
