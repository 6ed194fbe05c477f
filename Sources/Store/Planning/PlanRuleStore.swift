public import Campaigns
import Experiments
import JSON
import Notifications
public import Postgres

/// Reads the planning rules of runs, and of campaigns for forecasts.
public struct PlanRuleStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The moment for which a run's rules are read.
    public enum Moment: Sendable {
        /// For recipients who are planned now.
        case now
        /// For recipients whose batch is past its latest time.
        case overdue
        /// As they were when the run started.
        case start
    }

    /// Nil when the run does not exist.
    public func rules(of run: Run.Key, at moment: Moment = .now) async throws -> PlanRules? {
        let rows = try await pool.query(
            """
            SELECT topic, audience::text, frequency_cap_count, frequency_cap_days, quiet_hours::text,
                occurrence::text,
                default_time_zone, schedule_time_zone,
                floor(extract(epoch FROM now()))::bigint AS now,
                floor(extract(epoch FROM started_at))::bigint AS started_at, push_type, salt, variant_map, test_share,
                tests_times, control_share, p.first_digit, p.share AS holdout_share, p.control_salt
            FROM runs LEFT JOIN LATERAL (
                SELECT c.first_digit, c.share, a.control_salt FROM control_periods c JOIN apps a ON a.id = c.app_id
                WHERE c.app_id = runs.app_id AND c.id = runs.control_period
            ) AS p ON true WHERE app_id = \(run.app) AND id = \(run.id)
            """)
        guard let row = rows.first else { return nil }
        let now: Int = try row["now"]
        let startedAt: Int = try row["started_at"]
        let quiet = try RuleColumns.quietHours(row["quiet_hours"])
        let occurrence = try RuleColumns.occurrence(row["occurrence"]).map { $0.notBefore(startedAt) } ?? .at(startedAt)
        let timing =
            switch moment {
            case .now: TimingRules(occurrence, quiet: quiet, plannedAt: now)
            case .overdue: TimingRules(occurrence, quiet: quiet, plannedAt: now).reevaluated(now: now)
            case .start: TimingRules(occurrence, quiet: quiet, plannedAt: startedAt)
            }
        let zone: String = try row["default_time_zone"]
        let table = table(timing, zone)
        let audience = try ResolvedAudience(json: try JSON(parsing: try row["audience", as: String.self]))
        return PlanRules(
            app: run.app, consent: Consent(topic: try row["topic"], pushType: try row["push_type"]),
            audience: audience, recentEventsSince: try await recentEventsSince(audience),
            cap: RuleColumns.cap(try row["frequency_cap_count"], try row["frequency_cap_days"]),
            table: table, dueAt: occurrence.first,
            days: timing.days(table, defaultZone: zone, calendarZone: try row["schedule_time_zone"]),
            bestTime: try await bestTime(of: run.app, occurrence), draws: try draws(row))
    }

    private func draws(_ row: PostgresRow) throws -> RecipientDraws? {
        let map = try row["variant_map", as: [UInt8]?.self]
        let controlShare = try row["control_share", as: Int?.self]
        let holdout = try row["control_salt", as: Int64?.self].map {
            GlobalHoldout(
                salt: $0, period: HoldoutPeriod(from: try row["first_digit"], share: try row["holdout_share"]))
        }
        guard map != nil || controlShare != nil || holdout != nil else { return nil }
        return RecipientDraws(
            salt: try row["salt"], map: map, testsTimes: try row["tests_times"], testShare: try row["test_share"],
            controlShare: controlShare, holdout: holdout)
    }

    /// The rules of a campaign that has not started, for forecasts.
    public func rules(
        app: AppRecord, _ content: CampaignContent, audience: ResolvedAudience, occurrence: Occurrence, now: Int,
        draws: RecipientDraws? = nil
    ) async throws -> PlanRules {
        let quiet = content.options.quietHours(ofApp: app.settings.quietHours)
        let timing = TimingRules(occurrence.notBefore(now), quiet: quiet, plannedAt: now)
        let zone = app.settings.defaultTimeZone
        let table = table(timing, zone)
        return PlanRules(
            app: app.id, consent: Consent(topic: content.topic?.text, pushType: content.pushType), audience: audience,
            recentEventsSince: try await recentEventsSince(audience),
            cap: content.options.frequencyCap(ofApp: app.settings.frequencyCap),
            table: table, dueAt: occurrence.first,
            days: timing.days(table, defaultZone: zone, calendarZone: content.schedule?.zone),
            bestTime: try await bestTime(of: app.id, occurrence), draws: draws)
    }

    private func bestTime(of app: App.ID, _ occurrence: Occurrence) async throws -> BestTimeRules? {
        guard let hours = occurrence.bestHours else { return nil }
        return try await ResponseHoursStore(pool: pool).rules(of: app, hours: hours)
    }

    private func recentEventsSince(_ audience: ResolvedAudience) async throws -> Int64? {
        guard let days = audience.audience.condition?.oldestEventDays else { return nil }
        return try await MessageRangeStore(pool: pool).recentSince(days: days)
    }

    private func table(_ timing: TimingRules, _ zone: String) -> PlanTimings? {
        let checksQuietHours = timing.quiet.map { $0.policy != .send } ?? false
        if case .at = timing.occurrence, !checksQuietHours { return nil }
        return PlanTimings(timing, zones: ZoneName.all, defaultZone: zone)
    }
}
