import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

/// Why sending stops, with a message for the marketer.
enum StopReason: Sendable {
    /// Credential, topic or environment.
    case configuration(String)
    /// Too many pushes were rejected.
    case rejections(String)

    var message: String {
        switch self {
        case .configuration(let message), .rejections(let message): message
        }
    }
}

extension BatchSender {
    /// Adds a window's answers to the run's, and stops when too many are rejected.
    func checkRejectionThreshold(accepted: Int, rejected: [ReasonTable.Number: Int], mismatches: Int) {
        job.health.withLock { $0.count(accepted: accepted, rejected: rejected, mismatches: mismatches) }
        stop = stop ?? job.rejectionStop
    }

    /// False when the pause could not be stored: the next batch stores it again.
    @discardableResult
    func pauseRun(_ stop: StopReason) async -> Bool {
        let isNew = job.states[batch.run] != .paused
        job.states.set(.paused, of: batch.run)
        do {
            switch stop {
            case .configuration(let message): try await job.pauses.pause(batch.run, because: message)
            case .rejections(let message):
                try await job.pauses.pause(batch.run, because: message, disablingRejectionThreshold: true)
                job.health.withLock { $0.disableThreshold() }
            }
            // Several batches of the run may stop together.
            if isNew {
                job.logger.warning("run paused", metadata: ["run": "\(batch.run)", "reason": "\(stop.message)"])
            }
            return true
        } catch {
            job.logger.error("run not paused", metadata: ["run": "\(batch.run)", "error": "\(error)"])
            return false
        }
    }
}

extension SendingJob {
    /// The rejection threshold's stop, from the answer that exceeds the threshold until the pause is stored.
    var rejectionStop: StopReason? {
        let health = health.withLock { $0 }
        guard health.exceeds(at: content.source.rejectionThresholdPercent) else { return nil }
        return .rejections(explainRejections(health))
    }

    private func explainRejections(_ health: RunHealth) -> String {
        let most = health.commonestReason.map { ", most of them as \(reasons.text($0))" } ?? ""
        let advice = health.commonestReason.flatMap { ReasonTable.reason($0) }.map { " \($0.explanation)" } ?? ""
        return """
            Apple rejected \(health.rejectionPercent) % of the last \(health.answers) pushes\(most).\(advice) Sending \
            has stopped. Resume to send to the remaining recipients; the run then has no rejection threshold.
            """
    }
}
