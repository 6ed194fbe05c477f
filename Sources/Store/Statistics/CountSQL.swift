import Postgres

/// Statements that add to the counts of statistics, each from rows with the columns that are named.
///
/// A session adds to rows of its own shard, in the order of the key: transactions seldom wait for each other, and do
/// not deadlock.
enum CountSQL {
    /// From message_number, measure, minute and count.
    static func addMinutes(_ rows: PostgresQuery) -> PostgresQuery {
        """
        INSERT INTO run_minutes AS c (message_number, measure, minute, shard, count)
        SELECT message_number, measure, minute, 1 + pg_backend_pid() % 8, sum(count)
        FROM (\(rows)) AS f GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (message_number, measure, minute, shard) DO UPDATE SET count = c.count + excluded.count
        """
    }

    /// From app_id, measure, quarter, campaign_id, count and amount.
    static func addQuarters(_ rows: PostgresQuery) -> PostgresQuery {
        """
        INSERT INTO app_quarters AS c (app_id, measure, quarter, campaign_id, shard, count, amount)
        SELECT app_id, measure, quarter, campaign_id, 1 + pg_backend_pid() % 8, sum(count), sum(amount)
        FROM (\(rows)) AS f GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (app_id, measure, quarter, campaign_id, shard)
            DO UPDATE SET count = c.count + excluded.count, amount = c.amount + excluded.amount
        """
    }

    /// From app_id, dimension, measure, sent_on, message_number, value, campaign_id, count and amount.
    static func addTotals(_ rows: PostgresQuery) -> PostgresQuery {
        """
        INSERT INTO message_totals AS c (
            app_id, dimension, measure, sent_on, message_number, value, campaign_id, shard, count, amount)
        SELECT app_id, dimension, measure, sent_on, message_number, value, campaign_id, 1 + pg_backend_pid() % 8,
            sum(count), sum(amount)
        FROM (\(rows)) AS f GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (app_id, dimension, measure, sent_on, message_number, value, shard)
            DO UPDATE SET count = c.count + excluded.count, amount = c.amount + excluded.amount
        """
    }

    /// Adds the outcomes of finished batches that fulfil a condition on the view `counted_outcomes`. They must not have
    /// been added before.
    static func addOutcomes(where condition: PostgresQuery) -> [PostgresQuery] {
        let rows: PostgresQuery = "SELECT * FROM counted_outcomes WHERE \(condition)"
        return [
            addMinutes("SELECT message_number, measure, minute, count FROM (\(rows)) AS o WHERE message_number > 0"),
            addQuarters(
                """
                SELECT app_id, measure, to_quarter(minute) AS quarter, campaign_id, count, 0 AS amount
                FROM (\(rows)) AS o
                """),
            addTotals(
                """
                SELECT o.app_id, d.dimension, o.measure, o.sent_on, o.message_number, d.value, o.campaign_id, o.count,
                    0 AS amount
                FROM (
                    SELECT app_id, campaign_id, message_number, sent_on, measure, reason, profile, sum(count) AS count
                    FROM (\(rows)) AS o GROUP BY 1, 2, 3, 4, 5, 6, 7
                ) AS o
                CROSS JOIN LATERAL (
                    SELECT 0::smallint AS dimension, '' AS value
                    UNION ALL
                    SELECT v.dimension, v.value FROM profile_values v
                    WHERE v.app_id = o.app_id AND v.profile = o.profile
                    UNION ALL SELECT \(Dimension.reason.rawValue)::smallint, o.reason WHERE o.reason <> ''
                ) AS d
                """),
        ]
    }
}
