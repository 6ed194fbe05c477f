public import Postgres

/// Reads facts about the database as a whole, for monitoring.
public struct DatabaseStateStore: Sendable {
    public struct State: Equatable, Sendable {
        /// In bytes.
        public let size: Int64
        /// Transactions until PostgreSQL refuses new ones, unless VACUUM freezes old rows before.
        public let transactionsToWraparound: Int
        /// Sessions of the database that wait for a lock.
        public let lockWaiters: Int
        /// Weeks that are ready beyond the present one, see `MessageRangeStore`.
        public let partitionsAhead: Int
        /// When the next API key expires, in seconds since 1970; nil if none does.
        public let nextKeyEnd: Double?
        /// The IDs of signing keys, and when their provider tokens were made, in seconds since 1970.
        public let providerTokens: [ProviderToken]
        /// Empty also for a role that may not see it (pg_monitor).
        public let standbys: [Standby]

        public struct ProviderToken: Equatable, Sendable {
            public let key: String
            public let issued: Double
        }

        public struct Standby: Equatable, Sendable {
            public let name: String
            /// How far it is behind.
            public let bytes: Int64
        }
    }

    /// A slower database has other worries.
    private static let deadline = Duration.seconds(2)
    /// The ages at which PostgreSQL stops, less the reserve of 3 million that it keeps.
    private static let lastTransaction = 2_144_483_647
    /// Standbys that are shown.
    private static let maximumStandbys: Int32 = 20

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func state() async throws -> State {
        let rows = try await pool.query(
            """
            SELECT pg_database_size(d.oid) AS size, age(d.datfrozenxid) AS age,
                (SELECT count(*) FROM pg_stat_activity a WHERE a.datid = d.oid AND a.wait_event_type = 'Lock') AS waiters,
                (SELECT ((SELECT max(last_number) FROM message_ranges) - last_value) / \(MessageRangeStore.width)
                    FROM message_numbers) AS ahead,
                (SELECT extract(epoch FROM min(expires_at))::float8 FROM api_keys
                    WHERE revoked_at IS NULL AND expires_at > now()) AS key_end
            FROM pg_database d WHERE d.datname = current_database()
            """, deadline: Self.deadline)
        let row = rows[0]
        return State(
            size: try row["size"], transactionsToWraparound: Self.lastTransaction - (try row["age"]),
            lockWaiters: try row["waiters"], partitionsAhead: try row["ahead"], nextKeyEnd: try row["key_end"],
            providerTokens: try await providerTokens(), standbys: try await standbys())
    }

    private func providerTokens() async throws -> [State.ProviderToken] {
        try await pool.query(
            """
            SELECT t.key_id, extract(epoch FROM max(t.issued_at))::float8 FROM provider_tokens t
            WHERE EXISTS (SELECT FROM credentials c WHERE c.key_id = t.key_id AND c.team_id = t.team_id)
            GROUP BY t.key_id ORDER BY t.key_id
            """, deadline: Self.deadline
        ).map { State.ProviderToken(key: try $0[0], issued: try $0[1]) }
    }

    private func standbys() async throws -> [State.Standby] {
        try await pool.query(
            """
            SELECT application_name, max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::int8
            FROM pg_stat_replication WHERE replay_lsn IS NOT NULL
            GROUP BY 1 ORDER BY 1 LIMIT \(Self.maximumStandbys)
            """, deadline: Self.deadline
        ).map { State.Standby(name: try $0[0], bytes: try $0[1]) }
    }
}
