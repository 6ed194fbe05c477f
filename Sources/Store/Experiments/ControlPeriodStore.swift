public import Campaigns
import Experiments
public import Postgres

/// The periods of global control groups: who gets no campaigns, and the count of what came of it.
public struct ControlPeriodStore: Sendable {
    /// The shortest time between two counts of a period: it is read from all recipients of the period.
    private static let shortestPause = 3_600.0
    private static let pausePerDuration = 100.0

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Newest first.
    public func list(app: App.ID, before: ControlPeriod.ID?, limit: Int) async throws -> [ControlPeriodRecord] {
        let rows = try await pool.query(
            """
            SELECT \(ControlPeriodRecord.columns) FROM control_periods
            WHERE app_id = \(app) AND id < \(keysetBound(before)) ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try ControlPeriodRecord($0) }
    }

    /// The group of now; nil without one.
    public func holdout(of app: App.ID) async throws -> GlobalHoldout? {
        let rows = try await pool.query(
            """
            SELECT a.control_salt, p.first_digit, p.share
            FROM control_periods p JOIN apps a ON a.id = p.app_id
            WHERE p.app_id = \(app) AND p.id = \(Self.present("\(app)"))
            """)
        return try rows.first.map {
            GlobalHoldout(salt: try $0[0], period: HoldoutPeriod(from: try $0[1], share: try $0[2]))
        }
    }

    /// Begins the periods that follow ended ones. Returns their number.
    public func rotate() async throws -> Int {
        try await pool.execute(
            """
            INSERT INTO control_periods (app_id, ends_at, count_next_at, first_digit, share, event_name)
            SELECT a.id, now() + make_interval(days => (a.global_control ->> 'days')::integer),
                now() + \(Self.washout), (p.first_digit + p.share) % 1000, p.share, p.event_name
            FROM apps a
            JOIN LATERAL (
                SELECT ends_at, first_digit, share, event_name FROM control_periods
                WHERE app_id = a.id ORDER BY id DESC LIMIT 1
            ) AS p ON true
            WHERE a.global_control IS NOT NULL AND p.ends_at <= now()
            """)
    }

    /// Begins due periods, and counts the people of the one that has waited longest. Returns 1, or 0 when none is due or
    /// another process is counting.
    public func countStep() async throws -> Int {
        try await pool.alone(.effectCounts) { connection in
            _ = try await rotate()
            let due = try await connection.query(
                """
                SELECT app_id, id FROM control_periods WHERE count_next_at <= now() ORDER BY count_next_at LIMIT 1
                """)
            guard let row = due.first else { return 0 }
            try await connection.execute(Self.count(try row["id"], app: try row["app_id"]))
            return 1
        }
    }

    // MARK: Statements

    static let washout: PostgresQuery = "make_interval(days => \(Int32(GlobalControl.washoutDays)))"
    static let countsFrom: PostgresQuery = "starts_at + \(washout)"

    /// The id of the app's period of now; null without one.
    static func present(_ app: PostgresQuery) -> PostgresQuery {
        """
        (SELECT id FROM control_periods
            WHERE app_id = \(app) AND starts_at <= now() AND ends_at > now() ORDER BY id DESC LIMIT 1)
        """
    }

    /// A period after which others are in the group, so that nobody is in it twice for a long time.
    static func beginning(of control: GlobalControl, app: App.ID) -> PostgresQuery {
        """
        INSERT INTO control_periods (app_id, ends_at, count_next_at, first_digit, share, event_name)
        SELECT \(app), now() + make_interval(days => \(Int32(control.days))), now() + \(washout),
            coalesce((SELECT (first_digit + share) % 1000 FROM control_periods
                WHERE app_id = \(app) ORDER BY id DESC LIMIT 1), 0),
            \(Int16(control.share)), \(control.eventName)
        """
    }

    static func end(app: App.ID) -> PostgresQuery {
        """
        UPDATE control_periods SET ends_at = now(), count_next_at = now() + \(late)
        WHERE app_id = \(app) AND ends_at > now()
        """
    }

    private static let late: PostgresQuery = "make_interval(secs => \(Double(GlobalControl.lateSeconds)))"

    /// A person enters with the first push after the washout that would have gone to them, and is counted until the end
    /// of the period. The control group of a campaign counts as treated: it got the others.
    private static func count(_ period: ControlPeriod.ID, app: App.ID) -> PostgresQuery {
        let isControl: PostgresQuery = "p.code = \(Int32(OutcomeCode.suppressedGlobalControl))"
        return """
            WITH own AS MATERIALIZED (
                SELECT starts_at + \(washout) AS since, ends_at, event_name FROM control_periods
                WHERE app_id = \(app) AND id = \(period)
            ), pushed AS (
                SELECT b.due_at, u.device_id, outcome_code(get_byte(b.outcomes, u.place::integer - 1)) AS code
                FROM own CROSS JOIN runs r JOIN batches b ON b.app_id = r.app_id AND b.run_id = r.id
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (device_id, place)
                WHERE r.app_id = \(app) AND r.control_period = \(period)
                    AND b.due_at >= own.since AND b.due_at < least(own.ends_at, now())
            ), people AS MATERIALIZED (
                SELECT person_number(d.user_id, d.installation) AS person, min(p.due_at) AS since,
                    bool_or(\(isControl)) AS is_control
                FROM pushed p JOIN devices d ON d.app_id = \(app) AND d.id = p.device_id
                WHERE p.code <> ALL (\((EffectPeopleQuery.rulesForAll + [OutcomeCode.deferred]).map { Int32($0) }))
                GROUP BY 1
                HAVING count(DISTINCT \(isControl)) = 1
            ), conversions AS (
                SELECT DISTINCT p.person
                FROM own CROSS JOIN people p JOIN custom_events e ON e.person = p.person
                WHERE e.app_id = \(app) AND e.name_id = (
                        SELECT id FROM custom_event_names
                        WHERE app_id = \(app) AND name = (SELECT event_name FROM own))
                    AND e.week >= week_of((SELECT min(since) FROM people))
                    AND e.happened_at >= p.since AND e.happened_at < own.ends_at
            ), counted AS (
                SELECT count(*) FILTER (WHERE NOT p.is_control) AS treated,
                    count(*) FILTER (WHERE NOT p.is_control AND v.person IS NOT NULL) AS treated_converted,
                    count(*) FILTER (WHERE p.is_control) AS control,
                    count(*) FILTER (WHERE p.is_control AND v.person IS NOT NULL) AS control_converted
                FROM people p LEFT JOIN conversions v ON v.person = p.person
            )
            UPDATE control_periods c
            SET counted_at = now(), treated = n.treated, treated_converted = n.treated_converted, control = n.control,
                control_converted = n.control_converted,
                count_next_at = CASE WHEN c.ends_at + \(late) > now() THEN least(
                    c.ends_at + \(late),
                    clock_timestamp() + greatest(
                        make_interval(secs => \(shortestPause)), (clock_timestamp() - now()) * \(pausePerDuration)))
                END
            FROM counted n WHERE c.app_id = \(app) AND c.id = \(period)
            """
    }
}
