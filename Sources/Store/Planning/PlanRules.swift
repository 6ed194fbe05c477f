public import Campaigns
import EventLoop

/// The rules by which a run's devices are evaluated. They were frozen when the run began; only the time changes.
public struct PlanRules: Sendable {
    public let app: App.ID
    public let consent: Consent
    public let audience: ResolvedAudience
    /// The least message number of events that the audience's conditions with `within_days` are about; nil without any.
    public var recentEventsSince: Int64?
    public let cap: FrequencyCap?
    /// Nil when all recipients are due together, at `dueAt` or, if that is past, now.
    public let table: PlanTimings?
    /// Seconds since 1970.
    public let dueAt: Int
    /// What conditions about days mean by today.
    public let days: AudienceDays
    /// Nil unless each recipient is due at the best time for him.
    public var bestTime: BestTimeRules?
    /// Nil without an A/B test and control groups: all get the one content.
    public var draws: RecipientDraws?

    /// The time for which the table of timings is valid: quiet hours change by the minute.
    public static let validity = Duration.seconds(10)
}
