import APNS
import Application
import Campaigns
import EventLoop
import JSON
import Logging
import Store

/// Why sending stops, with a message for the marketer.
enum StopReason: Sendable {
    /// Credential, topic or environment; with Apple's answer, unless Belfry noticed it itself.
    case configuration(Message, RunPauseStore.CredentialRefusal? = nil)
    /// Too many pushes were rejected.
    case rejections(Message)

    var message: Message {
        switch self {
        case .configuration(let message, _), .rejections(let message): message
        }
    }
}

/// Pauses the run of a batch.
extension SendingJob {
    /// The rejection threshold's stop, from the answer that exceeds the threshold until the pause is stored.
    var rejectionStop: StopReason? {
        let health = health.withLock { $0 }
        guard health.exceeds(at: content.source.rejectionThresholdPercent) else { return nil }
        return .rejections(explain(health))
    }

    /// False when the pause could not be stored: the next batch stores it again.
    @discardableResult
    func pause(_ run: Run.Key, because stop: StopReason) async -> Bool {
        let process = dependencies
        let isNew = process.states[run.id] != .paused
        process.states.set(.paused, of: run.id)
        do {
            switch stop {
            case .configuration(let message, let refusal):
                try await process.pauses.pause(run, because: message, refusal: refusal)
            case .rejections(let message):
                try await process.pauses.pause(run, because: message, disablingRejectionThreshold: true)
                health.withLock { $0.disableThreshold() }
            }
            // Several batches of the run may stop together.
            if isNew {
                process.logger.warning("run paused", metadata: .run(run, ["reason": "\(stop.message)"]))
            }
            return true
        } catch {
            process.logger.error("run not paused", metadata: .run(run, ["reason": "\(error)"]))
            return false
        }
    }

    private func explain(_ health: RunHealth) -> Message {
        let reasons = dependencies.reasons
        let most: Message = health.commonestReason.map { ", most of them as \(reasons.text($0))" } ?? ""
        let rejected: Message =
            "Apple rejected \(health.rejectionPercent) % of the last \(health.answers) pushes\(most)."
        let stopped: Message = """
            Sending has stopped. Resume to send to the remaining recipients; the run then has no rejection threshold.
            """
        let advice = health.commonestReason.flatMap { ReasonTable.reason($0) }?.explanation
        return .sentences([rejected, advice, stopped].compactMap { $0 })
    }
}
