import Postgres

extension CountStore {
    /// The counts of what happened to pushes, with the columns that they are kept by.
    private static let tables = [
        ("run_minutes", "message_number, measure, minute", ""),
        ("app_quarters", "app_id, measure, quarter, campaign_id", ", trim_scale(sum(amount)) AS amount"),
        (
            "message_totals", "app_id, campaign_id, message_number, sent_on, dimension, measure, value",
            ", trim_scale(sum(amount)) AS amount"
        ),
    ]

    /// Compares the counts with a recount of all batches and events, for tests: the rows that only one of them has, at most
    /// `limit` of each. Refused events are left out, since they have no rows.
    public func differencesFromRows(limit: Int = 5) async throws -> [String] {
        var differences: [String] = []
        for (table, columns, amount) in Self.tables {
            let source = table == "app_quarters" ? "quarter_counts" : table
            let counted = "SELECT \(columns), sum(count) AS count\(amount) FROM \(source) GROUP BY \(columns)"
            let again = "SELECT \(columns), sum(count) AS count\(amount) FROM recounted_\(table) GROUP BY \(columns)"
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
