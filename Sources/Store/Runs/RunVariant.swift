public import Campaigns
import Postgres

/// One of the contents of a run in an A/B test, with its part of the ledger so far.
public struct RunVariant: Equatable, Sendable {
    /// From 0.
    public let place: Int
    public let name: String
    public let ledger: Ledger
    /// Devices that showed the push; each event proves that.
    public let delivered: Int
    public let opened: Int
    /// Devices that opened, acted or replied.
    public let engaged: Int
}

extension RunStore {
    /// In the order of the campaign; none without a test.
    public func variants(of run: Run.Key) async throws -> [RunVariant] {
        let rows = try await pool.query(
            """
            SELECT m.variant, m.name, b.*, e.*
            FROM run_variants m
            JOIN runs r ON r.app_id = m.app_id AND r.id = m.run_id
            LEFT JOIN test_decisions d ON d.app_id = m.app_id AND d.run_id = m.run_id
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(pending), 0)::bigint AS pending, coalesce(sum(accepted), 0)::bigint AS accepted,
                    coalesce(sum(rejected), 0)::bigint AS rejected, coalesce(sum(suppressed), 0)::bigint AS suppressed,
                    coalesce(sum(expired), 0)::bigint AS expired, coalesce(sum(cancelled), 0)::bigint AS cancelled,
                    coalesce(sum(unknown), 0)::bigint AS unknown, coalesce(sum(deferred), 0)::bigint AS deferred,
                    coalesce(sum(resent), 0)::bigint AS resent
                FROM batches WHERE app_id = m.app_id AND run_id = m.run_id AND variant = m.variant
                    -- The rest has no variant before the decision.
                    AND (NOT is_rest OR d.variant IS NOT NULL)
            ) AS b
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(count) FILTER (WHERE measure = \(Measure.delivered.rawValue)), 0)::bigint AS delivered,
                    coalesce(sum(count) FILTER (WHERE measure = \(Measure.opened.rawValue)), 0)::bigint AS opened,
                    coalesce(sum(count) FILTER (WHERE measure = \(Measure.engaged.rawValue)), 0)::bigint AS engaged
                FROM message_totals
                WHERE app_id = m.app_id AND dimension = \(Dimension.total.rawValue)
                    AND measure = ANY (\([Measure.delivered, .opened, .engaged].map(\.rawValue)))
                    AND sent_on = (r.started_at AT TIME ZONE 'UTC')::date AND message_number = m.message_number
            ) AS e
            WHERE m.app_id = \(run.app) AND m.run_id = \(run.id) AND r.variant_map IS NOT NULL
            ORDER BY m.variant
            """)
        return try rows.map { row in
            var ledger = Ledger()
            for kind in OutcomeKind.allCases { ledger[kind] = try row[kind.rawValue] }
            ledger.resent = try row["resent"]
            return RunVariant(
                place: try row["variant"], name: try row["name"], ledger: ledger, delivered: try row["delivered"],
                opened: try row["opened"], engaged: try row["engaged"])
        }
    }
}
