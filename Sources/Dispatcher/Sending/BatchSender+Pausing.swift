import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

/// Why nothing more may be sent, in words for the marketer.
enum StopReason: Sendable {
    /// Credential, topic or environment.
    case trouble(String)
    /// Too many were rejected.
    case brake(String)
}

extension BatchSender {
    /// Adds a window's answers to those of the run, and stops when too many are rejected.
    func brake(accepted: Int, rejected: [ReasonTable.Number: Int], suspects: Int) {
        job.health.withLock { $0.count(accepted: accepted, rejected: rejected, suspects: suspects) }
        stop = stop ?? job.braking
    }

    /// False when the pause could not be stored: the next batch asks for it again.
    @discardableResult
    func pauseRun(_ stop: StopReason) async -> Bool {
        job.states.set(.paused, of: batch.run)
        do {
            switch stop {
            case .trouble(let words): try await job.pauses.pause(batch.run, because: words)
            case .brake(let words):
                try await job.pauses.pause(batch.run, because: words, releasingBrake: true)
                job.health.withLock { $0.releaseBrake() }
            }
            return true
        } catch {
            job.logger.error("run could not be paused", metadata: ["run": "\(batch.run)", "error": "\(error)"])
            return false
        }
    }
}

extension SendingJob {
    /// Why nothing more of the run may go out, from the answer that is one too many until the pause is stored.
    var braking: StopReason? {
        let health = health.withLock { $0 }
        return health.brakes(at: content.source.rejectionThresholdPercent) ? .brake(explainBrake(health)) : nil
    }

    /// What Apple refuses, and what to do about it.
    func explain(_ result: PushResult, _ environment: PushEnvironment) -> String {
        let reason = reasons.text(result.reason)
        let words =
            switch ReasonTable.reason(result.reason) {
            case .topicDisallowed, .badTopic:
                """
                Apple refuses the topic \(content.source.bundleID.text) (\(reason)). Check the app's bundle id, and that its .p8 \
                key may send for it
                """
            case .invalidProviderToken:
                """
                Apple refuses the app's credential (\(reason)). Check key id, team id and .p8 file, and that the key was \
                not revoked
                """
            case .expiredProviderToken:
                """
                Apple finds the app's signature too old (\(reason)). Signatures are dated by the clock of the PostgreSQL \
                server: set that clock right
                """
            case .missingProviderToken:
                """
                The app's signature does not reach Apple (\(reason)). Check that no proxy on the way changes requests
                """
            case .unrelatedKeyIDInToken:
                """
                Apple says that the app's .p8 key is of another team or app (\(reason)). Check key id, team id and bundle \
                id, or add the app's own key
                """
            case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
                """
                The app's .p8 key is not for Apple's \(environment.name) environment (\(reason)). Add a key for this one
                """
            default:
                """
                Apple refuses to send for this app (\(reason)). Check in the developer account that the .p8 key is valid \
                and may send for \(content.source.bundleID.text)
                """
            }
        return words + "; then resume."
    }

    private func explainBrake(_ health: RunHealth) -> String {
        let most = health.mainReason.map { ", most of them as \(reasons.text($0))" } ?? ""
        let advice = health.mainReason.flatMap { ReasonTable.reason($0) }.map { " \($0.words)" } ?? ""
        return """
            Apple has rejected \(health.rejectionPercent) % of the last \(health.answers) pushes\(most).\(advice) Nothing more is sent. \
            Resume to send the rest all the same: the brake is off then.
            """
    }
}

extension APNSReason {
    /// What it means, and what a person can do about it: tokens that are gone are dropped without one.
    fileprivate var words: String {
        let remedy = action == .dropToken ? nil : advice.remedy
        return [advice.meaning, remedy].compactMap { $0 }.joined(separator: " ")
    }
}
