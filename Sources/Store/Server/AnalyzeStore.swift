public import Postgres

/// Updates PostgreSQL's statistics of the tables that audiences are evaluated on.
///
/// Autovacuum updates them within about a minute. Until then, the planner takes a first import of devices for a few
/// rows, and its plan, which needs milliseconds for ten devices, needs minutes for a hundred thousand.
///
/// Docs/decisions/database.md has what was measured.
public struct AnalyzeStore: Sendable {
    private static let tables = ["devices", "device_activity"]
    /// Rows that may change without an update of the statistics, in addition to half of the table.
    private static let unnoticed: Int64 = 1_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Analyzes tables with outdated statistics, except those that another session is analyzing. Returns the tables.
    @discardableResult
    public func analyzeStaleTables() async throws -> [String] {
        let stale = try await pool.query(
            """
            SELECT relname FROM pg_stat_user_tables
            WHERE relid IN (
                    SELECT to_regclass(name) FROM unnest(\(Self.tables)) AS name
                    UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = 'events'::regclass)
                AND n_mod_since_analyze > \(Self.unnoticed) + n_live_tup / 2
            ORDER BY relname
            """
        ).map { try $0[0, as: String.self] }
        for table in stale {
            try await pool.execute("ANALYZE (SKIP_LOCKED) \(unescaped: table)")
        }
        return stale
    }
}
