import Campaigns
import Postgres

/// Statements that add to the counts of statistics, each from rows with the columns that are named.
///
/// A session adds to rows of its own shard, in the order of the key: transactions seldom wait for each other, and do
/// not deadlock.
///
/// Docs/decisions/statistics.md explains why counts are kept when events are stored.
enum CountSQL {
    /// From app_id, message_number, measure, minute, count and amount.
    static func addMinutes(_ rows: PostgresQuery) -> PostgresQuery {
        """
        INSERT INTO run_minutes AS c (app_id, message_number, measure, minute, shard, count, amount)
        SELECT app_id, message_number, measure, minute, 1 + pg_backend_pid() % 8, sum(count), sum(amount)
        FROM (\(rows)) AS f GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (app_id, message_number, measure, minute, shard)
            DO UPDATE SET count = c.count + excluded.count, amount = c.amount + excluded.amount
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
    /// been added before. The view unpacks each batch, so it is read once; the tables are written in the same order as
    /// for events.
    static func addOutcomes(where condition: PostgresQuery) -> PostgresQuery {
        """
        WITH o AS MATERIALIZED (
            SELECT * FROM counted_outcomes WHERE \(condition)
        ), totals AS (
            \(addTotals(totalsOfOutcomes))
        ), quarters AS (
            \(addQuarters(
                """
                SELECT app_id, measure, to_quarter(minute) AS quarter, campaign_id, count, 0 AS amount FROM o
                """))
        )
        \(addMinutes(
            """
            SELECT app_id, message_number, measure, minute, count, 0 AS amount FROM o WHERE message_number > 0
            """))
        """
    }

    private static let totalsOfOutcomes: PostgresQuery = """
        SELECT s.app_id, d.dimension, s.measure, s.sent_on, s.message_number, d.value, s.campaign_id, s.count, 0 AS amount
        FROM (
            SELECT app_id, campaign_id, message_number, sent_on, measure, reason, profile, sum(count) AS count
            FROM o GROUP BY 1, 2, 3, 4, 5, 6, 7
        ) AS s
        CROSS JOIN LATERAL (
            SELECT 0::smallint AS dimension, '' AS value
            UNION ALL
            SELECT v.dimension, v.value FROM profile_values v WHERE v.app_id = s.app_id AND v.profile = s.profile
            UNION ALL SELECT \(Dimension.reason.rawValue)::smallint, s.reason WHERE s.reason <> ''
        ) AS d
        """
}
