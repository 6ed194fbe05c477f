import Postgres

extension StatisticsStore {
    /// Counts, the rows that they must equal, and their key. The last two are sums of other counts.
    private static let comparisons = [
        ("run_minutes", "recounted_run_minutes", "app_id, message_number, measure, minute"),
        ("quarter_counts", "recounted_app_quarters", "app_id, measure, quarter, campaign_id"),
        (
            "message_totals", "recounted_message_totals",
            "app_id, campaign_id, message_number, sent_on, dimension, measure, value"
        ),
        (
            "day_totals", "(SELECT * FROM message_totals WHERE shard = 0) AS t",
            "app_id, sent_on, dimension, measure, value"
        ),
        (quarters("campaign_id = -1"), quarters("campaign_id >= 0"), "app_id, day, measure, index"),
    ]

    private static func quarters(_ condition: String) -> String {
        """
        (SELECT q.*, u.count, coalesce(u.amount, 0) AS amount, u.index
         FROM quarter_days q, unnest(q.counts, q.amounts) WITH ORDINALITY AS u (count, amount, index)
         WHERE q.\(condition)) AS t
        """
    }

    /// Compares the counts with a recount of all batches and events, for tests: the rows that only one of them has, at
    /// most `limit` of each. Refused events are left out, since they have no rows.
    public func differencesFromRows(limit: Int = 5) async throws -> [String] {
        var differences: [String] = []
        for (table, other, columns) in Self.comparisons {
            func sums(_ table: String) -> String {
                """
                SELECT \(columns), sum(count) AS count, trim_scale(sum(amount)) AS amount FROM \(table)
                GROUP BY \(columns)
                """
            }
            let (counted, again) = (sums(table), sums(other))
            for (name, query) in [
                ("counted", "\(counted) EXCEPT \(again)"), ("rows", "\(again) EXCEPT \(counted)"),
            ] {
                let rows = try await pool.query(
                    PostgresQuery(
                        unescaped: "SELECT d::text FROM (\(query)) AS d WHERE measure < 20 LIMIT \(limit)"),
                    deadline: .seconds(300))
                differences += try rows.map { "\(table), only \(name): \(try $0[0, as: String.self])" }
            }
        }
        return differences
    }
}
