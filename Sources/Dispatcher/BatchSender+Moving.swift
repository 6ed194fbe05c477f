import APNS
import Campaigns
import EventLoop
import Logging
import Store

/// Who leaves a batch at its end: for a later one, or for the other environment.
extension BatchSender {
    /// Decides it, and marks them as moved.
    func departures() async -> [BatchMove] {
        var moves: [BatchMove] = []
        for reason in BatchProgress.Postponement.allCases {
            guard let indices = progress.postponed[reason]?.sorted(), !indices.isEmpty else { continue }
            let delay = laterDelay(reason)
            if let expiresAt, expiresAt <= .now() + delay {
                for index in indices { progress.record(Int(index), OutcomeCode.expired) }
            } else {
                moves.append(move(indices, after: delay, isTrial: false))
            }
        }
        if batch.isTrial {
            await settleTrial()
        } else if await mayTryOtherEnvironment() {
            moves.append(move(progress.suspects.sorted(), after: .zero, isTrial: true))
        }
        return moves
    }

    private func move(_ indices: [Int32], after delay: Duration, isTrial: Bool) -> BatchMove {
        BatchMove(
            delay: delay, isTrial: isTrial, recipients: indices.map { batch.recipients[Int($0)] },
            outcomes: indices.map { progress.move(Int($0)) })
    }

    private func laterDelay(_ reason: BatchProgress.Postponement) -> Duration {
        let first =
            switch reason {
            case .device: job.options.retryDeviceLater
            case .apple: job.options.retryLater
            }
        return min(job.options.longestRetry, first * (1 << min(Int(batch.retries), 16)))
    }

    // MARK: The token doctor

    /// Tokens of a batch that may be tried in the other environment although they are more than the share below: a
    /// developer's own phones.
    private static let fewSuspects = 10
    /// In a hundred recipients. Where more are unknown, the host is the wrong one and not the tokens.
    private static let suspectPercent = 20

    private func mayTryOtherEnvironment() async -> Bool {
        let count = progress.suspects.count
        guard count > 0, count <= Self.fewSuspects || count * 100 <= batch.recipients.count * Self.suspectPercent else {
            return false
        }
        let other: PushEnvironment = batch.environment == .production ? .development : .production
        do {
            return try await job.clients.client(for: batch.app, other) != nil
        } catch {
            job.logger.warning(
                "tokens were not tried in the other environment",
                metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
            return false
        }
    }

    /// Devices whose tokens belong here are put right; those that no environment knows are retired.
    private func settleTrial() async {
        let refused = progress.suspects.map { batch.recipients[Int($0)] }
        let accepted = batch.recipients.indices
            .filter { OutcomeByte(rawValue: progress.outcomes[$0]).code == OutcomeCode.accepted }
            .map { batch.recipients[$0] }
        guard !(refused.isEmpty && accepted.isEmpty) else { return }
        do {
            try await job.retiring.settleTrial(of: batch, accepted: accepted, refused: refused)
            job.logger.info(
                "tokens tried in the other environment",
                metadata: ["corrected": "\(accepted.count)", "retired": "\(refused.count)"])
        } catch {
            // The next campaign tries them again.
            job.logger.warning(
                "devices could not be corrected", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }
}
