public import Campaigns
import Postgres

extension DeviceStore {
    /// The changes that a logout has made.
    public struct Logout: Equatable, Sendable {
        /// The devices that had the user.
        public let loggedOut: Int
        /// At least one device was left as it is, because its app has stated something later about its user. It does not
        /// depend on the user, or an app could find out who that is.
        public let isOutdated: Bool
    }

    /// Logs the user out on all devices of the installation: no token of it gets a push for them any more. With `user`,
    /// only the devices of that user change, so a logout that is repeated after the next login does no harm. Nor does
    /// it with `sentAt`, if the login says when it was sent, too.
    public func logOut(
        app: App.ID, installation: String, user: String? = nil, sentAt: Instant? = nil
    ) async throws -> Logout {
        try await pool.transaction(opening: [PersonStore.lock(app)]) { connection, _ in
            let rows = try await connection.query(
                """
                SELECT d.id, a.user_sent_at
                FROM devices d LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.app_id = \(app) AND d.installation = \(installation)
                ORDER BY d.id
                FOR UPDATE OF d
                """)
            guard !rows.isEmpty else { throw Refusal.notFound(.device) }
            let now = Timestamp.now
            var current: [Int64] = []
            var isOutdated = false
            for row in rows {
                if StatementOrder.isOutdated(sentAt, after: try row[1], receivedAt: now) {
                    isOutdated = true
                } else {
                    current.append(try row[0])
                }
            }
            var writes: [PostgresQuery] = [Self.clearUser(of: current, app: app, user: user)]
            if let sentAt { writes.append(DeviceActivity.recordSending(of: current, app: app, at: sentAt)) }
            let written = try await connection.queries(writes, deadline: RegistrationStore.statementDeadline)
            return Logout(loggedOut: written[0].count, isOutdated: isOutdated)
        }
    }

    /// Nothing of the person stays on the devices.
    private static func clearUser(of devices: [Int64], app: App.ID, user: String?) -> PostgresQuery {
        UserDetachment.of(
            """
            FROM devices d
            WHERE d.app_id = \(app) AND d.id = ANY (\(devices)) AND d.user_id IS NOT NULL
                AND (\(user)::text IS NULL OR d.user_id = \(user))
            """, isStated: true)
    }
}

extension StatementOrder {
    /// A request that does not say when it was sent counts when it is received.
    static func isOutdated(_ sentAt: Instant?, after newest: Timestamp?, receivedAt now: Timestamp) -> Bool {
        guard let sentAt else { return false }
        return isOutdated(
            sentAt, after: newest.map { Instant(microseconds: $0.microseconds) },
            receivedAt: Instant(microseconds: now.microseconds))
    }
}
