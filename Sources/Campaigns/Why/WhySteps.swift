import JSON

/// Applies the rules to the facts, in order, until one decides.
struct WhySteps {
    private let facts: WhyFacts
    private(set) var steps: [Why.Step] = []

    init(_ facts: WhyFacts) {
        self.facts = facts
    }

    mutating func decide() -> Why.Verdict {
        guard let outcome = facts.outcome else { return decideWithoutOutcome() }
        pass(.beforeStart, "The device was registered before the run started.")
        pass(.audience, "The device was in the audience when the run was planned.")
        return decide(outcome)
    }

    private mutating func pass(_ rule: Why.Rule, _ text: Message) {
        steps.append(Why.Step(rule: rule, result: .passed, text: text))
    }

    private mutating func fail(_ rule: Why.Rule, _ text: Message) {
        steps.append(Why.Step(rule: rule, result: .failed, text: text))
    }

    private mutating func leaveOpen(_ rule: Why.Rule, _ text: Message) {
        steps.append(Why.Step(rule: rule, result: .unknown, text: text))
    }

    // MARK: Recipients

    private mutating func decide(_ outcome: WhyFacts.Outcome) -> Why.Verdict {
        let failed = Self.rule(outcome)
        for rule in Why.Rule.allCases {
            if rule == failed { break }
            if let text = passedText(rule, outcome) { pass(rule, text) }
        }
        if outcome.wasDeferred {
            pass(.sending, "The push was deferred to a later time, and this is its last outcome.")
        }
        switch outcome.kind {
        case .accepted:
            pass(
                .apple,
                outcome.isResent ? "Apple accepted the push, the second time it was sent." : "Apple accepted the push.")
            return .sent
        case .pending, .deferred:
            leaveOpen(.sending, "The push was not sent yet.")
            if facts.run.isPaused {
                leaveOpen(.sending, facts.run.pauseReason.map { "The run is paused: \($0)" } ?? "The run is paused.")
            } else if let answer = outcome.lastAnswer {
                leaveOpen(.apple, answer.text)
            }
            return .pending
        case .unknown:
            leaveOpen(.answer, "The push was sent, but no answer came: \(outcome.reason). It may have arrived.")
            return .sent
        case .rejected:
            fail(.apple, "Apple rejected the push: \(outcome.reason).")
        case .expired:
            fail(.expiration, "The push could not be sent before it expired.")
        case .cancelled:
            fail(.cancellation, "The run was cancelled before the push was sent.")
        case .suppressed:
            fail(failed, suppressedText(outcome.reason))
        }
        return .notSent
    }

    /// The rule that the outcome comes from.
    private static func rule(_ outcome: WhyFacts.Outcome) -> Why.Rule {
        switch outcome.kind {
        case .accepted, .rejected: .apple
        case .unknown: .answer
        case .pending, .deferred: .sending
        case .expired: .expiration
        case .cancelled: .cancellation
        case .suppressed: rule(suppressedFor: outcome.reason)
        }
    }

    private static func rule(suppressedFor reason: String) -> Why.Rule {
        switch reason {
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedDenied): .permission
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedTooLong): .size
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedRemoved): .token
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedNoCredential): .credential
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedValueMissing),
            OutcomeCode.suppressionReason(OutcomeCode.suppressedValueUnusable):
            .value
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedOptedOutOfAll): .optOut
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedOptedOut): .topic
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedCap): .cap
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedControl),
            OutcomeCode.suppressionReason(OutcomeCode.suppressedGlobalControl):
            .control
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedQuietHours): .quietHours
        case OutcomeCode.suppressionReason(OutcomeCode.suppressedLocalTimePast): .localTime
        default: .sending
        }
    }

    /// Nil for rules that the run does not have, and for those that say nothing before the last one.
    private func passedText(_ rule: Why.Rule, _ outcome: WhyFacts.Outcome) -> Message? {
        switch rule {
        case .permission: "Notifications were not denied."
        case .topic: facts.run.topic.map { "The person had not opted out of the topic \($0)." }
        case .localTime: facts.run.isInLocalTime ? "The local time was not past." : nil
        case .quietHours:
            facts.run.hasQuietHours ? "It was outside of the quiet hours, or the push waited for their end." : nil
        case .cap: facts.run.cap.map { "The frequency cap of \($0.summary) was not reached." }
        case .value: Self.wasComposed(outcome) ? "No value was missing for the text or not usable." : nil
        case .beforeStart, .kind, .token, .planned, .audience, .optOut, .control, .credential, .size, .expiration,
            .cancellation, .sending, .apple, .answer:
            nil
        }
    }

    /// Missing values are found while the push is composed, immediately before it is sent.
    private static func wasComposed(_ outcome: WhyFacts.Outcome) -> Bool {
        switch outcome.kind {
        case .accepted, .rejected, .unknown: true
        case .suppressed: rule(suppressedFor: outcome.reason) == .size
        case .pending, .deferred, .expired, .cancelled: false
        }
    }

    private func suppressedText(_ reason: String) -> Message {
        switch Self.rule(suppressedFor: reason) {
        case .permission: "Notifications were denied on the device."
        case .size: "The payload was too long for Apple with the values of this device."
        case .token: "The device was removed, or its token had ended, before the push was sent."
        case .credential: "The app had no credential for the environment of the token."
        case .value where reason == OutcomeCode.suppressionReason(OutcomeCode.suppressedValueUnusable):
            "A value could not be used where the text has it, like a text for a number or a date. A default does not "
                + "replace such a value."
        case .value: "A value was missing for the text, and the text has no default for it."
        case .optOut: "The person had opted out of all campaigns."
        case .topic: "The person had opted out of the topic \(facts.run.topic ?? "of the campaign")."
        case .cap:
            facts.run.cap.map { "The frequency cap of \($0.summary) was reached." }
                ?? "The frequency cap of the app was reached."
        case .control where reason == OutcomeCode.suppressionReason(OutcomeCode.suppressedGlobalControl):
            "The person is in the global control group, which gets no campaigns for a while, so that the effect of all can "
                + "be seen."
        case .control:
            "The person is in the control group, which gets nothing, so that the effect of the push can be seen."
        case .quietHours: "It was in the quiet hours of the device, and the campaign skips such devices."
        case .localTime: "The local time was past when the run was planned, and the campaign skips such devices."
        case .beforeStart, .kind, .planned, .audience, .expiration, .cancellation, .sending, .apple, .answer:
            "The push was not sent: \(reason)."
        }
    }

    // MARK: Others

    private mutating func decideWithoutOutcome() -> Why.Verdict {
        let (run, device) = (facts.run, facts.device)
        guard device.id <= run.deviceCeiling else {
            fail(.beforeStart, "The device was registered after the run had started.")
            return .notConsidered
        }
        pass(.beforeStart, "The device was registered before the run started.")
        guard device.kind == .alert else {
            fail(.kind, "Campaigns reach tokens of the kind alert only; this one is \(device.kind.name).")
            return .notConsidered
        }
        if run.areRecipientsDeleted {
            leaveOpen(
                .planned, "The list of recipients was deleted, as the retention of the app says. Totals are kept.")
            return .unknown
        }
        if !run.isPlanned, run.planCursor < device.id {
            guard run.isCancelled || run.finishedAt != nil else {
                leaveOpen(.planned, "The run has not planned this device yet.")
                return .pending
            }
            fail(.cancellation, "The run was cancelled before it planned this device.")
            return .notConsidered
        }
        if let retiredAt = device.retiredAt, retiredAt <= run.startedAt {
            fail(.token, "The token had ended before the run started.")
            return .notConsidered
        }
        guard facts.conditions.first?.isMet != false else {
            let isCertain = device.changedAt <= run.startedAt
            fail(
                .audience,
                isCertain
                    ? "The device does not fulfil the conditions of the audience."
                    : "The device does not fulfil the conditions of the audience, checked with its present values.")
            return .notConsidered
        }
        guard device.retiredAt == nil else {
            fail(.token, "The token has ended since the run started, probably before the run planned this device.")
            return .notConsidered
        }
        fail(
            .audience,
            "The device was not in the audience when the run was planned. It fulfils the conditions with its present values, so it has changed since."
        )
        return .notConsidered
    }
}
