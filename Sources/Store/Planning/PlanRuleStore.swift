public import Campaigns
import JSON
import Notifications
public import Postgres

/// The rules of runs, and of campaigns that could become some.
public struct PlanRuleStore: Sendable {
    private let pool: PostgresPool
    private let zones: TimeZoneStore

    public init(pool: PostgresPool, zones: TimeZoneStore) {
        self.pool = pool
        self.zones = zones
    }

    /// Nil when the run is gone. `late` for who was planned once and comes later than he may.
    public func rules(of run: Run.ID, late: Bool = false) async throws -> PlanRules? {
        let rows = try await pool.query(
            """
            SELECT app_id, topic, audience::text, cap_count, cap_days, quiet_hours::text, occurrence::text,
                coalesce(default_time_zone, 'UTC'), floor(extract(epoch FROM now()))::bigint,
                floor(extract(epoch FROM started_at))::bigint, push_type
            FROM runs WHERE id = \(run)
            """)
        guard let row = rows.first else { return nil }
        let now: Int = try row[8]
        let startedAt: Int = try row[9]
        let quiet = try StoredRules.quietHours(row[5])
        let occurrence = try StoredRules.occurrence(row[6]) ?? .at(startedAt)
        var timing = TimingRules(occurrence, quiet: quiet, plannedAt: now)
        if late { timing = timing.again(now: now) }
        let zone: String = try row[7]
        return PlanRules(
            app: try row[0], consent: Consent(topic: try row[1], pushType: try row[10]),
            audience: try ResolvedAudience(json: try JSON(parsing: try row[2, as: String.self])),
            cap: StoredRules.cap(try row[3], try row[4]),
            table: try await table(occurrence, quiet, timing, zone), dueAt: occurrence.first)
    }

    /// Of a campaign that has not begun, for forecasts.
    public func rules(
        app: AppRecord, _ content: CampaignContent, audience: ResolvedAudience, occurrence: Occurrence, now: Int
    ) async throws -> PlanRules {
        let quiet = content.ignoresQuietHours ? nil : app.settings.quietHours
        let timing = TimingRules(occurrence, quiet: quiet, plannedAt: now)
        return PlanRules(
            app: app.id, consent: Consent(topic: content.topic?.text, pushType: content.pushType), audience: audience,
            cap: content.ignoresFrequencyCap ? nil : app.settings.frequencyCap,
            table: try await table(occurrence, quiet, timing, app.settings.defaultTimeZone), dueAt: occurrence.first)
    }

    private func table(
        _ occurrence: Occurrence, _ quiet: QuietHours?, _ timing: TimingRules, _ zone: String
    ) async throws -> PlanTimings? {
        let asksForTheHour = quiet.map { $0.policy != .send } ?? false
        if case .at = occurrence, !asksForTheHour { return nil }
        return PlanTimings(timing, zones: try await zones.names(), defaultZone: zone)
    }
}
