import Postgres

extension MessageRangeStore {
    /// The partitions that can take pushes and events from now on.
    public struct Supply: Equatable, Sendable {
        /// Whether the current numbers have one.
        public var hasCurrent: Bool
        /// Those beyond the current one.
        public var ahead: Int
        /// As many as there are after each maintenance.
        public var wanted: Int
    }

    public func supply() async throws -> Supply {
        let rows = try await pool.query(
            """
            SELECT coalesce(bool_or(n.last_value <= r.last_number AND r.first_number <= n.last_value), false) AS current,
                count(*) FILTER (WHERE r.first_number > n.last_value) AS ahead
            FROM message_numbers n CROSS JOIN message_ranges r
            WHERE EXISTS (SELECT FROM pg_inherits
                    WHERE inhparent = 'events'::regclass AND inhrelid = to_regclass('events_' || r.first_number))
                AND EXISTS (SELECT FROM pg_inherits
                    WHERE inhparent = 'push_recipients'::regclass
                        AND inhrelid = to_regclass('push_recipients_' || r.first_number))
            """)
        return Supply(hasCurrent: try rows[0]["current"], ahead: try rows[0]["ahead"], wanted: Int(Self.ahead))
    }
}
