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

    /// Describes Apple's error and what to do about it.
    func explain(_ result: PushResult, _ environment: PushEnvironment) -> String {
        let reason = reasons.text(result.reason)
        let message =
            switch ReasonTable.reason(result.reason) {
            case .topicDisallowed, .badTopic:
                """
                Apple rejects the topic \(content.source.bundleID.text) (\(reason)). Check the app's bundle ID, and \
                that its .p8 key may send for it
                """
            case .invalidProviderToken:
                """
                Apple rejects the app's credential (\(reason)). Check the key ID, the team ID and the .p8 file, and \
                that the key was not revoked
                """
            case .expiredProviderToken:
                """
                Apple rejects the app's provider token as too old (\(reason)). Tokens are dated by the clock of the \
                PostgreSQL server: correct that clock
                """
            case .missingProviderToken:
                """
                The app's provider token does not reach Apple (\(reason)). Check that no proxy changes the requests
                """
            case .unrelatedKeyIDInToken:
                """
                The app's .p8 key belongs to another team or app (\(reason)). Check the key ID, the team ID and the \
                bundle ID, or add the app's own key
                """
            case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
                """
                The app's .p8 key is not valid for Apple's \(environment.name) environment (\(reason)). Add a key \
                for that environment
                """
            default:
                """
                Apple rejects pushes of this app (\(reason)). Check in the developer account that the .p8 key is \
                valid and may send for \(content.source.bundleID.text)
                """
            }
        return message + "; then resume."
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

extension APNSReason {
    /// The meaning and the remedy. There is no remedy for invalidated tokens: they are dropped automatically.
    fileprivate var explanation: String {
        let remedy = action == .dropToken ? nil : advice.remedy
        return [advice.meaning, remedy].compactMap { $0 }.joined(separator: " ")
    }
}
