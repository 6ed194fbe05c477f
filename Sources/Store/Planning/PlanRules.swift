public import Campaigns
import EventLoop

/// What a run's planner judges devices by, frozen when the run began; only the clock goes on.
public struct PlanRules: Sendable {
    public let app: App.ID
    public let consent: Consent
    public let audience: ResolvedAudience
    public let cap: FrequencyCap?
    /// Nil when everybody is due at once, at `dueAt` or, where that is past, now.
    public let table: PlanTimings?
    /// Seconds since 1970.
    public let dueAt: Int

    /// How long the table of timings is good for: what is quiet changes by the minute.
    public static let validity = Duration.seconds(10)
}
