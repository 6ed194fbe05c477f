import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Recipients that leave a batch at its end: for a later batch, or for the other environment.
extension BatchSender {
    /// Selects them and marks them as deferred. When the run is over, Apple's rejections are final.
    func deferrals(isOver: Bool) async -> [BatchDeferral] {
        var deferrals: [BatchDeferral] = []
        for reason in BatchProgress.Postponement.allCases {
            guard let indices = lease.record.progress.postponed[reason]?.sorted(), !indices.isEmpty else { continue }
            let delay = laterDelay(reason)
            if let expiresAt = lease.limits.expiresAt, expiresAt <= .now() + delay {
                for index in indices { lease.record.progress.skip(Int(index), OutcomeCode.expired) }
            } else {
                deferrals.append(
                    deferral(
                        indices, after: delay, to: reason == .environment ? .otherEnvironment : .later,
                        because: lease.record.answer(reason, at: .now())))
            }
        }
        if batch.isEnvironmentProbe {
            await resolveEnvironmentProbe()
        } else if !isOver, let probe = await badTokens() {
            deferrals.append(probe)
        }
        return deferrals
    }

    private func deferral(
        _ indices: [Int32], after delay: Duration, to goal: BatchDeferral.Goal,
        because answer: (reason: String, age: Duration)? = nil
    ) -> BatchDeferral {
        BatchDeferral(
            delay: delay, goal: goal, recipients: indices.map { batch.recipients[Int($0)] },
            outcomes: indices.map { lease.record.progress.handOff(Int($0)) }, answer: answer)
    }

    private func laterDelay(_ reason: BatchProgress.Postponement) -> Duration {
        let first =
            switch reason {
            case .device: process.options.retryDeviceLater
            case .apple: process.options.retryLater
            case .environment: Duration.zero
            }
        return min(process.options.longestRetry, first * (1 << min(Int(batch.retries), 16)))
    }

    // MARK: Bad tokens

    /// Deals with tokens that the environment or the topic does not know, if they are few, both in the batch (of which
    /// another process may have sent most) and in the run: otherwise host or credential are wrong. Returns those that
    /// are probed in the other environment.
    private func badTokens() async -> BatchDeferral? {
        let foreign = lease.record.progress.indices(of: job.foreignCode)
        let count = lease.record.progress.mismatches.count + foreign.count
        guard count > 0, RunHealth.isWithinMismatchLimit(count, of: batch.recipients.count), job.allowsEnvironmentProbe
        else { return nil }
        retire(foreign, suspectIn: .run(batch.run))
        guard !lease.record.progress.mismatches.isEmpty else { return nil }
        switch await otherEnvironment() {
        case .isAvailable:
            return deferral(lease.record.progress.mismatches.sorted(), after: .zero, to: .environmentProbe)
        case .isMissing: retire(lease.record.progress.mismatches.map { Int($0) })
        case .isUnknown: break
        }
        return nil
    }

    private func retire(_ indices: [Int], suspectIn occasion: DeviceRetirementStore.Occasion? = nil) {
        guard job.allowsRetiring else { return }
        // A device that registers while the batch is being sent may have another token now.
        let since = batch.dueAt.microseconds / 1_000
        process.retirements.add(
            indices.map {
                DeviceRetirementStore.InvalidatedToken(
                    device: batch.recipients[$0], since: since, reason: .badToken, suspectIn: occasion)
            }, app: batch.app)
    }

    private enum OtherEnvironment { case isAvailable, isMissing, isUnknown }

    /// Whether the app has a credential for it.
    private func otherEnvironment() async -> OtherEnvironment {
        do {
            return try await process.clients.client(for: batch.app, batch.environment.other) == nil
                ? .isMissing : .isAvailable
        } catch {
            process.logger.warning(
                "environment probe skipped",
                metadata: .batch(batch, ["reason": "\(error)"]))
            return .isUnknown
        }
    }

    /// Corrects the environment of devices whose tokens were accepted; retires those that no environment knows.
    private func resolveEnvironmentProbe() async {
        let refused = lease.record.progress.mismatches.map { batch.recipients[Int($0)] }
        let accepted = batch.recipients.indices
            .filter { OutcomeByte(rawValue: lease.record.progress.outcomes[$0]).code == OutcomeCode.accepted }
            .map { batch.recipients[$0] }
        guard !(refused.isEmpty && accepted.isEmpty) else { return }
        // Mismatches may have exceeded the limit since the probe was planned.
        guard job.allowsEnvironmentProbe else {
            process.logger.notice(
                "environment probe ignored", metadata: .batch(batch, ["reason": "too many unknown tokens"]))
            return
        }
        do {
            try await process.retiring.resolveEnvironmentProbe(of: batch, accepted: accepted, refused: refused)
            process.logger.info(
                "environment probe finished",
                metadata: .batch(batch, ["corrected": "\(accepted.count)", "retired": "\(refused.count)"]))
        } catch {
            // The next campaign probes them again.
            process.logger.warning(
                "environment probe not stored", metadata: .batch(batch, ["reason": "\(error)"]))
        }
    }
}

extension SendingJob {
    fileprivate var allowsEnvironmentProbe: Bool { health.withLock { $0.allowsEnvironmentProbe } }
    fileprivate var allowsRetiring: Bool { health.withLock { $0.allowsRetiring } }
}
