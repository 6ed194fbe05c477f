import APNS
import Campaigns
import Logging
import Notifications
import Store

extension BatchSender {
    /// Takes a window's results into the ledger.
    func record(_ declared: DeclaredWindow) async {
        let codes = await rejectionCodes(declared.window)
        for (place, index) in declared.indices.enumerated() {
            let index = Int(index)
            let result = declared.window.results[place]
            switch result.state {
            case .answered where result.status == 200: progress.record(index, OutcomeCode.accepted)
            case .answered: refused(index, result, code: codes[result.reason] ?? OutcomeCode.rejectedOther)
            case .unsent: progress.putBack(index)
            case .deadlinePassed: progress.unknown(index, OutcomeCode.unknownDeadline)
            case .streamReset: progress.unknown(index, OutcomeCode.unknownReset)
            case .connectionLost, .inFlight: progress.unknown(index, OutcomeCode.unknownConnectionLost)
            }
        }
        job.onEvent?(.windowAnswered(batch.id, count: declared.indices.count))
        if let stopReason { await pauseRun(stopReason) }
    }

    private func refused(_ index: Int, _ result: PushResult, code: UInt8) {
        switch result.action {
        case .retryDevice, .retryLater, .keepToken, .reconnect, .renewToken:
            guard !progress.delay(index, atMost: job.options.retryDelays.count) else { return }
            progress.record(index, code)
        case .stop:
            // Nothing is wrong with the recipient: he is sent to when the trouble is over.
            progress.putBack(index)
            stopReason = job.explain(result)
        case .dropToken:
            progress.record(index, code)
            guard result.timestamp > 0 else { return }
            gone.append(
                RecipientStore.Gone(
                    device: batch.recipients[index], since: result.timestamp,
                    isExpiredToken: ReasonTable.reason(result.reason) == .expiredToken))
        case .fix, .suspectToken, .detachToken, nil:
            progress.record(index, code)
        }
    }

    /// The ledger's code for each reason in the window. One that cannot be had becomes "other".
    private func rejectionCodes(_ window: PushWindow) async -> [ReasonTable.Number: UInt8] {
        var codes: [ReasonTable.Number: UInt8] = [:]
        for place in 0..<window.count {
            let result = window.results[place]
            guard result.state == .answered, result.status != 200, codes[result.reason] == nil else { continue }
            do {
                codes[result.reason] = try await job.codes.rejection(job.reasons.text(result.reason))
            } catch {
                job.logger.error(
                    "no code for a reason",
                    metadata: ["reason": "\(job.reasons.text(result.reason))", "error": "\(error)"])
                codes[result.reason] = OutcomeCode.rejectedOther
            }
        }
        return codes
    }

    private func pauseRun(_ reason: String) async {
        job.states.set(.paused, of: batch.run)
        do {
            try await job.contents.pause(batch.run, because: reason)
        } catch {
            job.logger.error("run could not be paused", metadata: ["run": "\(batch.run)", "error": "\(error)"])
        }
    }
}

extension SendingJob {
    /// Words for the marketer whose campaign stops.
    func explain(_ result: PushResult) -> String {
        let reason = reasons.text(result.reason)
        return switch ReasonTable.reason(result.reason) {
        case .topicDisallowed, .badTopic:
            """
            Apple refuses the topic \(content.bundleID.text) (\(reason)). Check the app's bundle id, and that its .p8 \
            key may send for it; then resume.
            """
        case .invalidProviderToken:
            """
            Apple refuses the app's credential (\(reason)). Check key id, team id and .p8 file, and that the key was \
            not revoked; then resume.
            """
        case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
            "The app's .p8 key is for Apple's other environment (\(reason)). Add a key for this one; then resume."
        default: "Apple refuses to send for this app (\(reason)). Nothing more was sent; resume when it is mended."
        }
    }
}
