public import Campaigns
public import Postgres

/// The data of a person, over all of their devices.
public struct PersonStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Erases the person: the devices with the user id, other devices of the same installations unless they belong to
    /// another user, and the events of all of them. Returns the number of devices.
    ///
    /// Ledgers keep the device ids, so that their totals remain correct; no id can be traced to the person any more.
    public func erase(_ userID: String, app: App.ID) async throws -> Int {
        // Registrations of the app wait meanwhile, so that none of them restores a partly erased device.
        let lock: PostgresQuery =
            "SELECT pg_advisory_xact_lock(\(RegistrationStore.lockClass | app.rawValue))::text"
        return try await pool.transaction(opening: [lock]) { connection, _ in
            let rows = try await connection.query(
                """
                WITH user_installations AS MATERIALIZED (
                    SELECT DISTINCT installation FROM devices WHERE app_id = \(app) AND user_id = \(userID)
                )
                SELECT d.id
                FROM user_installations o
                JOIN devices d ON d.installation = o.installation AND d.app_id = \(app)
                WHERE d.user_id IS NULL OR d.user_id = \(userID)
                ORDER BY d.id
                FOR UPDATE OF d
                """)
            let devices: [Int64] = try rows.map { try $0[0] }
            guard !devices.isEmpty else { return 0 }
            try await connection.execute(Self.eraseEvents(of: devices, app: app))
            return try await connection.execute(
                "DELETE FROM devices WHERE app_id = \(app) AND id = ANY (\(devices))")
        }
    }

    /// Deletes the events of the devices. The primary key begins with the message, and an index by device would slow
    /// down every acknowledgement, so the statement goes through the app's messages and looks up the devices in each.
    private static func eraseEvents(of devices: [Int64], app: App.ID) -> PostgresQuery {
        """
        WITH RECURSIVE messages (number) AS (
            (SELECT message_number FROM events WHERE app_id = \(app) ORDER BY message_number LIMIT 1)
            UNION ALL
            SELECT (
                SELECT e.message_number FROM events e
                WHERE e.app_id = \(app) AND e.message_number > m.number
                ORDER BY e.message_number LIMIT 1
            )
            FROM messages m WHERE m.number IS NOT NULL
        )
        DELETE FROM events e
        USING messages m
        WHERE e.app_id = \(app) AND e.message_number = m.number AND e.device_id = ANY (\(devices))
        """
    }
}
