import EventLoop
public import Postgres

/// The time zones that PostgreSQL knows. They are read once: listing them takes a tenth of a second.
public struct TimeZoneStore: Sendable {
    private let pool: PostgresPool
    private let known = Lock<[String]?>(nil)

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Sorted by name.
    public func names() async throws -> [String] {
        if let names = known.withLock({ $0 }) { return names }
        let rows = try await pool.query(
            """
            SELECT name FROM pg_timezone_names
            WHERE name NOT LIKE 'posix/%' AND name NOT LIKE 'right/%'
            """)
        let names = try rows.map { row -> String in try row[0] }.sorted()
        known.withLock { $0 = names }
        return names
    }
}
