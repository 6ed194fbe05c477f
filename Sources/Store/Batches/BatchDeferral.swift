import Campaigns
import Postgres

/// Recipients of a batch who are deferred to another one: for later, or for Apple's other environment.
public struct BatchDeferral: Sendable {
    /// Counted from the flush that stores it.
    public var delay: Duration
    public enum Goal: Sendable {
        /// The same environment, later.
        case later
        /// The other environment: the devices belong there now.
        case otherEnvironment
        /// The other environment, as a probe: this one does not know the tokens.
        case environmentProbe
    }

    public var goal: Goal
    /// Sorted device ids.
    public var recipients: [Int64]
    /// One byte for each recipient: pending, with bit 7 unchanged.
    public var outcomes: [UInt8]
    /// Apple's answer because of which they wait; nil: none.
    public var answer: (reason: String, age: Duration)?

    public init(
        delay: Duration, goal: Goal, recipients: [Int64], outcomes: [UInt8],
        answer: (reason: String, age: Duration)? = nil
    ) {
        self.delay = delay
        self.goal = goal
        self.recipients = recipients
        self.outcomes = outcomes
        self.answer = answer
    }

    /// Inserts the new batch, if the flush named `stored` was stored.
    var statement: PostgresQuery {
        let resent = outcomes.count { OutcomeByte(rawValue: $0).isResent }
        return """
            INSERT INTO batches (run_id, app_id, due_at, not_after, deferred_from, environment, is_environment_probe,
                retries, variant, is_rest, first_id, last_id, size, pending, resent, outcomes, profiles, recipients, last_answer,
                last_answered_at)
            SELECT run_id, app_id, now() + \(delay.interval), not_after, id,
                CASE WHEN \(goal != .later) THEN 1 - environment ELSE environment END,
                is_environment_probe OR \(goal == .environmentProbe), retries + 1, variant, is_rest,
                \(recipients.first), \(recipients.last), \(Int32(recipients.count)), \(Int32(recipients.count)),
                \(Int32(resent)), \(outcomes), profiles_of(\(recipients), recipients, profiles), \(recipients), \(answer?.reason),
                CASE WHEN \(answer?.reason)::text IS NOT NULL THEN now() - \((answer?.age ?? .zero).interval) END
            FROM stored
            """
    }
}
