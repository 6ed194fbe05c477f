public import Campaigns
public import Postgres

/// Reads the basis of an A/B test from stored totals and a sample of devices, so that it takes milliseconds in an app of
/// any size.
public struct TestBasisStore: Sendable {
    /// Campaigns of which the median is taken.
    static let campaigns = 10
    /// Runs among which they are looked for: a campaign that repeats often would hide the others.
    static let scannedRuns = 500
    /// Campaigns with fewer accepted pushes, or tests with fewer people, say little about a rate.
    static let leastAccepted = 100
    /// Days in which it is looked whether the app reports the goal.
    static let reportDays = 30
    /// Devices whose people are looked at.
    static let sampledDevices = 1_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func basis(for goal: CampaignGoal, app: App.ID) async throws -> TestBasis {
        let people = try await peoplePerDevice(app)
        switch goal {
        case .opened: return try await basis(for: .opened, app, people)
        case .engaged: return try await basis(for: .engaged, app, people)
        case .event(let name), .value(let name):
            let row = try await pool.query(
                """
                SELECT (\(rate(ofTestsWith: name, app))),
                    EXISTS (SELECT FROM custom_event_names WHERE app_id = \(app) AND name = \(name))
                """)[0]
            return TestBasis(
                rate: try row[0], hasEvent: try row[1], peoplePerDevice: people,
                amounts: goal.isAmount ? try await amounts(of: goal, app) : nil)
        }
    }

    /// In seconds: the time in which most people of the app open a push. Nil: too few did in the last 30 days.
    public func usualResponseSeconds(app: App.ID) async throws -> Int? {
        let now: Timestamp = try await pool.query("SELECT now()")[0][0]
        let since = (now - .seconds(Self.reportDays * 86_400)).nearestMidnight
        let delays = try await StatisticsStore(pool: pool).totals(
            app: app, StatisticsStore.Scope(sentSince: since), by: .delay)
        return UsualResponseTime.seconds(delays.map { (Int32($0.value) ?? 0, $0.counts[.opened]) })
    }

    private func basis(for measure: Measure, _ app: App.ID, _ peoplePerDevice: Double) async throws -> TestBasis {
        let row = try await pool.query("SELECT (\(rate(of: measure, app))), now()")[0]
        let now: Timestamp = try row[1]
        // Whole days are read from merged totals.
        let since = (now - .seconds(Self.reportDays * 86_400)).nearestMidnight
        let counts = try await StatisticsStore(pool: pool).totals(
            app: app, StatisticsStore.Scope(sentSince: since), by: .total
        ).first?.counts
        return TestBasis(
            rate: try row[0],
            reports: TestBasis.Reports(accepted: counts?[.accepted] ?? 0, reached: counts?[measure] ?? 0),
            peoplePerDevice: peoplePerDevice)
    }

    /// Of campaigns whose runs began at least a day ago: before, not everybody has had the time.
    private func rate(of measure: Measure, _ app: App.ID) -> PostgresQuery {
        """
        WITH recent AS (
            SELECT id, campaign_id, started_at FROM runs
            WHERE app_id = \(app) AND started_at < now() - interval '1 day'
            ORDER BY id DESC LIMIT \(Self.scannedRuns)
        ), counts AS (
            SELECT r.campaign_id, max(r.id) AS newest,
                sum(t.count) FILTER (WHERE t.measure = \(Measure.accepted.rawValue))::float8 AS accepted,
                sum(t.count) FILTER (WHERE t.measure = \(measure.rawValue))::float8 AS reached
            FROM recent r JOIN run_variants m ON m.app_id = \(app) AND m.run_id = r.id
            JOIN message_totals t ON t.app_id = \(app) AND t.dimension = \(Dimension.total.rawValue)
                AND t.measure IN (\(Measure.accepted.rawValue), \(measure.rawValue))
                AND t.sent_on = (r.started_at AT TIME ZONE 'UTC')::date AND t.message_number = m.message_number
            GROUP BY r.campaign_id
        ), rates AS (
            SELECT coalesce(reached, 0) / accepted AS rate FROM counts
            WHERE accepted >= \(Self.leastAccepted)
            ORDER BY newest DESC LIMIT \(Self.campaigns)
        )
        SELECT \(Self.median) FROM rates
        """
    }

    /// Of finished tests with the same event.
    private func rate(ofTestsWith event: String, _ app: App.ID) -> PostgresQuery {
        """
        SELECT \(Self.median) FROM (
            SELECT sum(p.converted)::float8 / sum(p.people) AS rate
            FROM campaigns c
            JOIN test_counts t ON t.app_id = c.app_id AND t.campaign_id = c.id AND t.count_next_at IS NULL
            JOIN test_people p ON p.app_id = c.app_id AND p.campaign_id = c.id
            WHERE c.app_id = \(app) AND c.goal_event_name = \(event)
            GROUP BY c.id HAVING sum(p.people) >= \(Self.leastAccepted)
            ORDER BY c.id DESC LIMIT \(Self.campaigns)
        ) AS rates
        """
    }

    private func amounts(of goal: CampaignGoal, _ app: App.ID) async throws -> TestBasis.Amounts? {
        let past = PastAmounts(app: app, eventName: goal.eventName, until: "now()", seconds: goal.seconds)
        let row = try await pool.query(
            """
            WITH past AS MATERIALIZED (\(past.query)), cap AS (SELECT \(PastAmounts.percentile) AS amount FROM past)
            SELECT count(*), avg(least(p.amount, cap.amount)), avg(least(p.amount, cap.amount) ^ 2)
            FROM past p CROSS JOIN cap
            """)[0]
        guard try row[0, as: Int64.self] >= PastAmounts.least else { return nil }
        return TestBasis.Amounts(mean: try row[1], meanSquare: try row[2])
    }

    /// Nil without a rate, and if half of the campaigns had no response: no difference can be computed from 0.
    private static let median: PostgresQuery = "nullif(percentile_cont(0.5) WITHIN GROUP (ORDER BY rate), 0)"

    /// A device counts as a part of its person. The sampled devices are spread evenly over the ids.
    private func peoplePerDevice(_ app: App.ID) async throws -> Double {
        let rows = try await pool.query(
            """
            WITH ends AS (
                SELECT min(id) AS first, max(id) AS last FROM devices WHERE app_id = \(app)
            ), sampled AS (
                SELECT DISTINCT d.id, d.user_id
                FROM ends e CROSS JOIN generate_series(0, \(Self.sampledDevices - 1)) AS n
                CROSS JOIN LATERAL (
                    SELECT id, user_id FROM devices
                    WHERE app_id = \(app) AND id >= e.first + (e.last - e.first) * n / \(Self.sampledDevices - 1)
                        AND retired_at IS NULL
                    ORDER BY id LIMIT 1
                ) AS d
            )
            SELECT avg(CASE WHEN s.user_id IS NULL THEN 1 ELSE 1.0 / (
                    SELECT count(*) FROM devices d
                    WHERE d.app_id = \(app) AND d.user_id = s.user_id AND d.retired_at IS NULL
                ) END)::float8
            FROM sampled s
            """)
        return try rows[0][0, as: Double?.self] ?? 1
    }
}
