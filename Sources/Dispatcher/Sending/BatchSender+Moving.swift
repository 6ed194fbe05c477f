import APNS
import Campaigns
import EventLoop
import Logging
import Store

/// Who leaves a batch at its end: for a later one, or for the other environment.
extension BatchSender {
    /// Decides it, and marks them as moved. When the run is over, what Apple refused is the last word.
    func departures(isOver: Bool) async -> [BatchMove] {
        var moves: [BatchMove] = []
        for reason in BatchProgress.Postponement.allCases {
            guard let indices = progress.postponed[reason]?.sorted(), !indices.isEmpty else { continue }
            let delay = laterDelay(reason)
            if let expiresAt, expiresAt <= .now() + delay {
                for index in indices { progress.leaveOut(Int(index), OutcomeCode.expired) }
            } else {
                moves.append(move(indices, after: delay, to: reason == .environment ? .otherEnvironment : .later))
            }
        }
        if batch.isTrial {
            await settleTrial()
        } else if !isOver, await mayTryOtherEnvironment() {
            moves.append(move(progress.suspects.sorted(), after: .zero, to: .trial))
        }
        return moves
    }

    private func move(_ indices: [Int32], after delay: Duration, to goal: BatchMove.Goal) -> BatchMove {
        BatchMove(
            delay: delay, goal: goal, recipients: indices.map { batch.recipients[Int($0)] },
            outcomes: indices.map { progress.move(Int($0)) })
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

    // MARK: The token doctor

    /// Neither in the batch, of which another process may have sent the most, nor in the run are there too many.
    private func mayTryOtherEnvironment() async -> Bool {
        let count = progress.suspects.count
        guard count > 0, RunHealth.areFew(count, of: batch.recipients.count), job.doubtsTokens else { return false }
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
        // The first few of a mix-up are tried before there are many.
        guard job.doubtsTokens else {
            job.logger.notice(
                "devices stay as they are: too many tokens are unknown", metadata: ["batch": "\(batch.id)"])
            return
        }
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

extension SendingJob {
    fileprivate var doubtsTokens: Bool { health.withLock { $0.doubtsTokens } }
}
