public import JSON

/// Explains why a device got a push or not: the rules that were applied, in their order, up to the one that decided.
public struct Why: Hashable, Sendable {
    public enum Verdict: String, Sendable {
        /// Apple accepted the push, or may have.
        case sent
        case notSent = "not_sent"
        /// Not sent yet.
        case pending
        /// Never a recipient.
        case notConsidered = "not_considered"
        /// The list of recipients was deleted.
        case unknown
    }

    /// The rules, in the order in which they are applied.
    public enum Rule: String, CaseIterable, Sendable {
        case beforeStart = "registered_before_start"
        case kind = "token_kind"
        case token
        case planned
        case audience
        case permission
        case optOut = "opt_out"
        case topic
        case localTime = "local_time"
        case quietHours = "quiet_hours"
        case cap = "frequency_cap"
        case control = "control_group"
        case credential
        case value
        case size
        case expiration
        case cancellation
        case sending
        case apple
        case answer
    }

    public enum Result: String, Sendable {
        case passed, failed, unknown
    }

    public struct Step: Hashable, Sendable {
        public let rule: Rule
        public let result: Result
        /// A sentence.
        public let text: Message
    }

    public let verdict: Verdict
    /// A sentence: that of the step that decided.
    public let summary: Message
    public let steps: [Step]
    /// The audience's conditions as they are for the device now; empty if it is a recipient.
    public let conditions: [WhyFacts.Condition]

    public init(_ facts: WhyFacts) {
        var steps = WhySteps(facts)
        verdict = steps.decide()
        self.steps = steps.steps
        summary = steps.steps.last?.text ?? ""
        conditions = facts.outcome == nil ? facts.conditions : []
    }
}
