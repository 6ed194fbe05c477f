public import Postgres

/// How far vacuum is behind: rows that are dead but take space, and transaction IDs that are not frozen.
public struct TableHealth: Equatable, Sendable {
    public struct Table: Equatable, Sendable {
        public var name: String
        public var liveRows: Int64
        public var deadRows: Int64
        /// Since vacuum, by itself or by hand, last went over the table; nil: never.
        public var secondsSinceVacuum: Double?
    }

    /// The tables with the most dead rows.
    public var tables: [Table]
    /// The table with the oldest transaction ID that is not frozen, and how many transactions ago that was.
    public var oldestTable: String
    public var oldestAge: Int64
    /// At this age PostgreSQL freezes a table by itself.
    public var freezeAge: Int64

    private static let shownTables = 20

    public static func read(_ pool: PostgresPool) async throws(PostgresError) -> TableHealth {
        let tables = try await pool.query(
            """
            SELECT relname::text AS name, n_live_tup AS live, n_dead_tup AS dead,
                extract(epoch FROM now() - greatest(last_vacuum, last_autovacuum))::float8 AS vacuumed
            FROM pg_stat_user_tables WHERE schemaname = current_schema()
            ORDER BY n_dead_tup DESC, relname LIMIT \(Self.shownTables)
            """)
        let oldest = try await pool.query(
            """
            SELECT oid::regclass::text AS name, age(relfrozenxid)::int8 AS age,
                current_setting('autovacuum_freeze_max_age')::int8 AS freeze
            FROM pg_class WHERE relkind IN ('r', 't', 'm') ORDER BY age(relfrozenxid) DESC LIMIT 1
            """)
        var health = TableHealth(
            tables: [], oldestTable: try oldest[0]["name"], oldestAge: try oldest[0]["age"],
            freezeAge: try oldest[0]["freeze"])
        for row in tables {
            health.tables.append(
                Table(
                    name: try row["name"], liveRows: try row["live"], deadRows: try row["dead"],
                    secondsSinceVacuum: try row["vacuumed"]))
        }
        return health
    }
}
