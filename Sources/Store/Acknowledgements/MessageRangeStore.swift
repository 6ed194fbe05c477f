public import Postgres

/// Maintains the partitions of `events` and `push_recipients`, which are ranges of message numbers.
///
/// Message numbers grow with time. Once a week they continue in the next range, so a range has the messages of a week,
/// however many were sent, and can be dropped as a whole when it is old. The next ranges are created ahead.
///
/// Docs/decisions/statistics.md explains why a range of numbers is a week.
public struct MessageRangeStore: Sendable {
    /// Message numbers in a range: 2^40 numbers make 8,192 ranges, or 157 years.
    static let width: Int64 = 1 << 27
    /// The time after which numbers continue in the next range.
    static let period = Duration.seconds(7 * 24 * 60 * 60)
    /// Ranges that are ready beyond the current one.
    static let ahead: Int64 = 2

    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates missing partitions, and opens the next range when the current one is a week old.
    public func maintain() async throws {
        try await pool.transaction(opening: [RowLock.eventRanges.wait]) { connection, _ in
            // `last_value` is the number that was drawn last, or the first of a range that has none yet. Numbers that
            // were set back must not be drawn again.
            let rows = try await connection.query(
                """
                SELECT n.last_value, r.last_number + 1 AS next, (SELECT max(last_number) FROM message_ranges) AS last,
                    coalesce(n.last_value < r.first_number
                        OR n.last_value <= r.last_number AND r.opened_at <= now() - \(Self.period.interval), false) AS is_due
                FROM message_numbers n LEFT JOIN (
                    SELECT * FROM message_ranges WHERE opened_at IS NOT NULL ORDER BY first_number DESC LIMIT 1
                ) AS r ON true
                """)
            let isDue: Bool = try rows[0]["is_due"]
            let number: Int64 = try rows[0][isDue ? "next" : "last_value"]
            var first = try rows[0]["last", as: Int64.self] + 1
            while first <= number + Self.ahead * Self.width {
                try await create(from: first, on: connection)
                first += Self.width
            }
            // Not undone by a rollback, which would do no harm: the partitions exist before the first number is drawn.
            if isDue { _ = try await connection.query("SELECT setval('message_numbers', \(number), false)") }
            try await connection.execute(
                """
                UPDATE message_ranges SET opened_at = now()
                WHERE opened_at IS NULL AND \(number) BETWEEN first_number AND last_number
                """)
        }
    }

    /// The first number of the newest range that was opened before all runs that can have events of the last `days`.
    /// Events are accepted up to `EventClock.maximumAge`; the hour is far longer than a range takes to open. 0 if there
    /// is none.
    func recentSince(days: Int) async throws -> Int64 {
        try await pool.query(
            """
            SELECT coalesce(max(first_number), 0) FROM message_ranges
            WHERE opened_at < \(AudienceCompiler.daysAgo(days)) - \(EventClock.maximumAge.interval) - interval '1 hour'
            """)[0][0]
    }

    private func create(from first: Int64, on connection: PostgresConnection) async throws {
        let end = first + Self.width
        for table in MessageRangePart.allCases { try await create(table, from: first, to: end, on: connection) }
        try await connection.execute(
            "INSERT INTO message_ranges (first_number, last_number) VALUES (\(first), \(end - 1))")
    }

    /// A table is attached instead of created as a partition, since acknowledgements and pushes need not wait for that.
    private func create(
        _ table: MessageRangePart, from first: Int64, to end: Int64, on connection: PostgresConnection
    ) async throws {
        try await connection.execute(
            """
            CREATE TABLE \(table.partition(first))
            (LIKE \(unescaped: table.rawValue) INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
            """)
        try await connection.execute(
            """
            ALTER TABLE \(unescaped: table.rawValue) ATTACH PARTITION \(table.partition(first))
            FOR VALUES FROM (\(unescaped: first.description)) TO (\(unescaped: end.description))
            """)
    }
}

/// A table that is partitioned by message numbers. The raw value is its name.
enum MessageRangePart: String, CaseIterable {
    case events
    case pushRecipients = "push_recipients"

    func partition(_ first: Int64) -> PostgresQuery { "\(unescaped: "\(rawValue)_\(first)")" }
}
