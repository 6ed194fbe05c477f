public import Campaigns
import EventLoop
import Notifications
import Postgres

/// What a run's planner judges devices by, frozen when the run began; only the clock goes on.
public struct PlanRules: Sendable {
    let app: App.ID
    let topic: String?
    let audience: ResolvedAudience
    let cap: FrequencyCap?
    /// Nil when everybody is due at once.
    let table: PlanTimings?

    /// How long the table of timings is good for: what is quiet changes by the minute.
    public static let validity = Duration.seconds(10)

    static func select(_ run: Run.ID) -> PostgresQuery {
        """
        SELECT app_id, topic, audience::text, cap_count, cap_days, quiet_hours::text, occurrence::text,
            coalesce(default_time_zone, 'UTC'), floor(extract(epoch FROM now()))::bigint,
            floor(extract(epoch FROM started_at))::bigint
        FROM runs WHERE id = \(run)
        """
    }
}

extension PlanStore {
    /// Nil when the run is gone.
    public func rules(of run: Run.ID) async throws -> PlanRules? {
        try await rules(PlanRules.select(run))
    }

    /// `late` for who was planned once and comes later than he may.
    func rules(_ query: PostgresQuery, late: Bool = false) async throws -> PlanRules? {
        guard let row = try await pool.query(query).first else { return nil }
        let now: Int = try row[8]
        let startedAt: Int = try row[9]
        let quiet = try StoredRules.quietHours(row[5])
        let occurrence = try StoredRules.occurrence(row[6]) ?? .at(startedAt)
        var timing = TimingRules(occurrence, quiet: quiet, plannedAt: now)
        if late { timing = timing.again(now: now) }
        let zone: String = try row[7]
        return PlanRules(
            app: try row[0], topic: try row[1],
            audience: try ResolvedAudience(json: try JSON(parsing: try row[2, as: String.self])),
            cap: StoredRules.cap(try row[3], try row[4]),
            table: try await table(occurrence, quiet, timing, zone))
    }

    /// Of a campaign that has not begun, for forecasts.
    func rules(
        app: AppRecord, _ content: CampaignContent, audience: ResolvedAudience, occurrence: Occurrence, now: Int
    ) async throws -> PlanRules {
        let quiet = content.ignoresQuietHours ? nil : app.settings.quietHours
        let timing = TimingRules(occurrence, quiet: quiet, plannedAt: now)
        return PlanRules(
            app: app.id, topic: content.topic?.text, audience: audience,
            cap: content.ignoresFrequencyCap ? nil : app.settings.frequencyCap,
            table: try await table(occurrence, quiet, timing, app.settings.defaultTimeZone))
    }

    private func table(
        _ occurrence: Occurrence, _ quiet: QuietHours?, _ timing: TimingRules, _ zone: String
    ) async throws -> PlanTimings? {
        let asksForTheHour = quiet.map { $0.policy != .send } ?? false
        if case .at = occurrence, !asksForTheHour { return nil }
        return PlanTimings(TimingTable(timing, zones: try await zones.names(), defaultZone: zone))
    }
}
