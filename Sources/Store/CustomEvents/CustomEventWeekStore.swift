public import Postgres

/// Maintains the partitions of `custom_events`: one for each week of receipt.
public struct CustomEventWeekStore: Sendable {
    /// Weeks that are ready beyond the present one.
    static let ahead: Int32 = 5

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates missing partitions. A table is attached instead of created as a partition, since events need not wait
    /// for that.
    public func maintain() async throws {
        try await pool.transaction(opening: [RowLock.eventRanges.wait]) { connection, _ in
            for week in try Self.missing(try await connection.query(Self.missing)) {
                try await connection.execute(
                    """
                    CREATE TABLE \(week.partition)
                    (LIKE custom_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
                    """)
                try await connection.execute(
                    """
                    ALTER TABLE custom_events ATTACH PARTITION \(week.partition)
                    FOR VALUES FROM ('\(unescaped: week.first)') TO ('\(unescaped: week.next)')
                    """)
            }
        }
    }

    private struct Week {
        let partition: PostgresQuery
        let first: String
        let next: String
    }

    private static let missing: PostgresQuery = """
        SELECT 'custom_events_' || to_char(week, 'YYYYMMDD'), week::text, (week + 7)::text
        FROM (SELECT week_of(now()) + 7 * n AS week FROM generate_series(0, \(ahead)) AS n) AS w
        WHERE to_regclass('custom_events_' || to_char(week, 'YYYYMMDD')) IS NULL
        ORDER BY week
        """

    private static func missing(_ rows: PostgresRows) throws -> [Week] {
        try rows.map { row in
            Week(partition: "\(unescaped: try row[0])", first: try row[1], next: try row[2])
        }
    }
}
