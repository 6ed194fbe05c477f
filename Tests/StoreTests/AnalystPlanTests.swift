import Campaigns
import Foundation
import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

/// Queries about recipients take time in proportion to their number, whatever statistics PostgreSQL has.
struct AnalystPlanTests {
    static let queries = [
        "SELECT * FROM bi.deliveries WHERE run_id = $1",
        "SELECT count(opened_at), sum(value), count(user_id) FROM bi.deliveries WHERE app_id = 1 AND message_number = $1",
        """
        SELECT d.device_id FROM bi.deliveries d
        LEFT JOIN bi.acknowledgements a ON a.run_id = d.run_id AND a.device_id = d.device_id AND a.kind = 'opened'
        WHERE d.run_id = $1 AND a.device_id IS NULL
        """,
    ]

    enum Statistics: CaseIterable {
        case missing
        /// Those of the time before the newest run began.
        case old
        case present
        /// Of a small table alone, which made PostgreSQL expect few recipients.
        case ofOutcomeCodes
    }

    /// Runs with this many recipients and, as their message numbers, the same numbers as IDs.
    private static func fill(_ fixture: StoreFixture, sizes: [Int], _ statistics: Statistics) async throws {
        let app = try await fixture.app()
        let campaign = try await fixture.campaign(of: app, state: .sending)
        try await fixture.pool.insertDevices(1...(sizes.max() ?? 1), of: app.id, ["user_id": "'u' || n"])
        for (number, size) in sizes.enumerated() {
            if statistics == .old, number == sizes.count - 1 { try await fixture.pool.execute("ANALYZE") }
            let run = try await fixture.run(of: campaign)
            try await fixture.pool.execute("UPDATE run_variants SET message_number = \(run) WHERE run_id = \(run)")
            try await fixture.pool.execute(
                """
                INSERT INTO batches (run_id, app_id, first_id, last_id, size, pending, accepted, environment, outcomes,
                    recipients, state)
                SELECT \(run), \(app.id), min(n), max(n), 1000, 0, 1000, 0, decode(repeat('01', 1000), 'hex'), array_agg(n), 'done'
                FROM generate_series(1::bigint, \(size)) AS n GROUP BY (n - 1) / 1000
                """)
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT \(app.id), \(run), n, kind, now()
                FROM generate_series(1, \(size), 20) AS n, unnest('{1,3,9}'::int[]) AS kind
                """)
        }
        if statistics == .present { try await fixture.pool.execute("ANALYZE") }
        if statistics == .ofOutcomeCodes { try await fixture.pool.execute("ANALYZE outcome_codes") }
    }

    /// The rows that all steps of a plan have read, joined or removed.
    private static func work(of node: [String: Any]) -> Double {
        func number(_ key: String) -> Double { (node[key] as? NSNumber)?.doubleValue ?? 0 }
        let rows =
            number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Join Filter")
            + number("Rows Removed by Index Recheck")
        let children = node["Plans"] as? [[String: Any]] ?? []
        return children.reduce(rows * number("Actual Loops")) { $0 + work(of: $1) }
    }

    /// Autovacuum would make some of the statistics at any moment of the test.
    private static func leaveStatistics(_ fixture: StoreFixture) async throws {
        try await fixture.pool.execute(
            """
            DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT oid::regclass::text FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
                LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name); END LOOP;
            END $$
            """)
    }

    @Test(arguments: Statistics.allCases)
    func workGrowsWithTheNumberOfRecipients(statistics: Statistics) async throws {
        try await StoreFixture.run { fixture in
            try await Self.leaveStatistics(fixture)
            try await Self.fill(fixture, sizes: [5_000, 20_000], statistics)
            for query in Self.queries {
                var work: [Double] = []
                for run in 1...2 {
                    let text = query.replacing("$1", with: "\(run)")
                    let rows = try await fixture.pool.query(
                        "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) \(unescaped: text)")
                    let plans = try JSONSerialization.jsonObject(with: Data((rows[0][0] as String).utf8))
                    let plan = try #require((plans as? [[String: Any]])?.first?["Plan"] as? [String: Any])
                    work.append(Self.work(of: plan))
                }
                // Twice the rows for twice the recipients; a nested loop would have 16 times as many for four times.
                #expect(work[1] / work[0] < 5, "\(query)")
                #expect(work[1] < 20_000 * 30, "\(query)")
            }
        }
    }
}
