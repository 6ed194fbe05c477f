public import Postgres

/// Merges the counts of past days: into one row per message and value, into sums over all messages of a day, and into
/// one row for the quarters of a day. Late events add to rows that are not merged, which a later step merges.
public struct CountMergeStore: Sendable {
    /// Rows that one step merges.
    static let step = 20_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Returns the number of rows; 0 when nothing is left, or another process is merging. Each row is merged in the
    /// transaction that removes it, so the sums are right at every moment.
    public func mergeStep() async throws -> Int {
        try await pool.alone(.mergedCounts) { connection in
            let totals: Int = try await connection.query(Self.mergeTotals)[0][0]
            let quarters: Int = try await connection.query(Self.mergeQuarters)[0][0]
            return totals + quarters
        }
    }

    /// Days before yesterday. Rows that a transaction of an acknowledgement has locked are left for the next step.
    private static let mergeTotals: PostgresQuery = """
        WITH moved AS MATERIALIZED (
            DELETE FROM message_totals WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM message_totals
                WHERE shard > 0 AND sent_on < (now() AT TIME ZONE 'UTC')::date - 1
                LIMIT \(Self.step) FOR UPDATE SKIP LOCKED))
            RETURNING *
        ), merged AS (
            INSERT INTO message_totals AS c (
                app_id, dimension, measure, sent_on, message_number, value, campaign_id, shard, count, amount)
            SELECT app_id, dimension, measure, sent_on, message_number, value, campaign_id, 0, sum(count), sum(amount)
            FROM moved GROUP BY 1, 2, 3, 4, 5, 6, 7
            ON CONFLICT (app_id, dimension, measure, sent_on, message_number, value, shard)
                DO UPDATE SET count = c.count + excluded.count, amount = c.amount + excluded.amount
        ), added AS (
            INSERT INTO day_totals AS d (app_id, dimension, measure, sent_on, value, count, amount)
            SELECT app_id, dimension, measure, sent_on, value, sum(count), sum(amount)
            FROM moved GROUP BY 1, 2, 3, 4, 5
            ON CONFLICT (app_id, dimension, measure, sent_on, value)
                DO UPDATE SET count = d.count + excluded.count, amount = d.amount + excluded.amount
        )
        SELECT count(*) FROM moved
        """

    private static let mergeQuarters: PostgresQuery = """
        WITH moved AS MATERIALIZED (
            DELETE FROM app_quarters WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM app_quarters
                WHERE quarter < date_trunc('day', now(), 'UTC') - interval '1 day'
                LIMIT \(Self.step) FOR UPDATE SKIP LOCKED))
            RETURNING app_id, campaign_id, measure, (quarter AT TIME ZONE 'UTC')::date AS day,
                (extract(epoch FROM (quarter AT TIME ZONE 'UTC')::time) / 900)::integer + 1 AS index, count, amount
        ), added AS (
            INSERT INTO quarter_days AS d (app_id, campaign_id, measure, day, counts, amounts)
            SELECT app_id, campaign_id, measure, day, quarters_of_day(array_agg(index), array_agg(count::numeric))::bigint[],
                CASE WHEN bool_or(amount <> 0) THEN quarters_of_day(array_agg(index), array_agg(amount)) END
            FROM (
                SELECT app_id, campaign_id, measure, day, index, count, amount FROM moved
                UNION ALL SELECT app_id, -1, measure, day, index, count, amount FROM moved
            ) AS each GROUP BY app_id, campaign_id, measure, day
            ON CONFLICT (app_id, campaign_id, measure, day) DO UPDATE SET
                counts = sums_of_arrays(d.counts::numeric[], excluded.counts::numeric[])::bigint[],
                amounts = CASE WHEN d.amounts IS NULL AND excluded.amounts IS NULL THEN NULL
                    ELSE sums_of_arrays(d.amounts, excluded.amounts) END
        )
        SELECT count(*) FROM moved
        """
}
