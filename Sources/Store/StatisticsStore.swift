public import Postgres

/// PostgreSQL's statistics of the tables that audiences are found in.
///
/// Autovacuum renews them within a minute or so. Until then a first import of devices looks like a handful, and what takes
/// milliseconds for ten of them takes minutes for a hundred thousand.
public struct StatisticsStore: Sendable {
    private static let tables = ["devices", "device_activity", "events"]
    /// Rows that may change unnoticed, besides half of the table.
    private static let unnoticed: Int64 = 1_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Renews what is far behind. A table that somebody else is looking through is left to him. Returns the tables.
    @discardableResult
    public func renewWhereStale() async throws -> [String] {
        let stale = try await pool.query(
            """
            SELECT relname FROM pg_stat_user_tables
            WHERE relid IN (SELECT to_regclass(name) FROM unnest(\(Self.tables)) AS name)
                AND n_mod_since_analyze > \(Self.unnoticed) + n_live_tup / 2
            ORDER BY relname
            """
        ).map { try $0[0, as: String.self] }
        for table in Self.tables where stale.contains(table) {
            try await pool.execute("ANALYZE (SKIP_LOCKED) \(unescaped: table)")
        }
        return stale
    }
}
