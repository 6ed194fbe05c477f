public import Campaigns
public import Postgres

/// Reads, removes and logs out single devices.
public struct DeviceStore: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Nil when the app has no such device.
    public func device(app: App.ID, _ address: DeviceAddress) async throws -> DeviceRecord? {
        let rows = try await pool.query(
            """
            SELECT \(DeviceRecord.columns)
            \(DeviceRecord.from)
            WHERE d.app_id = \(app) AND d.installation = \(address.installation) AND d.kind = \(address.kind)
                AND d.activity = \(address.activity)
            """)
        return try rows.first.map(DeviceRecord.init)
    }

    public func device(app: App.ID, id: Device.ID) async throws -> DeviceRecord? {
        let rows = try await pool.query(
            """
            SELECT \(DeviceRecord.columns)
            \(DeviceRecord.from)
            WHERE d.app_id = \(app) AND d.id = \(id)
            """)
        return try rows.first.map(DeviceRecord.init)
    }

    /// Retires the device and deletes its token. A device that was removed before does not change. Returns false if the
    /// request was sent before what is stored: then nothing changes. Registrations of the app wait meanwhile, since
    /// they rely on the order that they have read.
    @discardableResult
    public func remove(
        app: App.ID, _ address: DeviceAddress, expectedVersion: Int? = nil, sentAt: Instant? = nil
    ) async throws -> Bool {
        try await pool.transaction(opening: [PersonStore.lock(app)]) { connection, _ in
            let rows = try await connection.query(
                """
                SELECT d.id, \(DeviceRecord.version) AS version, a.user_sent_at
                FROM devices d LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.app_id = \(app) AND d.installation = \(address.installation) AND d.kind = \(address.kind)
                    AND d.activity = \(address.activity)
                FOR UPDATE OF d
                """)
            guard let row = rows.first else { throw Refusal.notFound(.device) }
            try Refusal.checkVersion(try row[1], expectedVersion)
            if StatementOrder.isOutdated(sentAt, after: try row[2], receivedAt: .now) { return false }
            let id: Int64 = try row[0]
            var writes: [PostgresQuery] = [
                Erasure.noteToken(ofDevice: id, app: app),
                Self.remove(id, app: app),
            ]
            if let sentAt { writes.append(DeviceActivity.recordSending(of: [id], app: app, at: sentAt)) }
            _ = try await connection.queries(writes, deadline: RegistrationStore.statementDeadline)
            return true
        }
    }

    private static func remove(_ device: Int64, app: App.ID) -> PostgresQuery {
        """
        WITH removed AS MATERIALIZED (
            SELECT app_id, id, retired_at IS NULL AS was_live FROM devices
            WHERE app_id = \(app) AND id = \(device) AND retired_reason IS DISTINCT FROM \(RetiredReason.removed)
            FOR UPDATE
        ), counted AS (\(DeviceDays.count(.retired, in: "removed", where: "was_live")))
        UPDATE devices d
        SET stated_at = now(), token = NULL, retired_at = now(), retired_reason = \(RetiredReason.removed),
            updated_at = now()
        FROM removed r WHERE d.app_id = r.app_id AND d.id = r.id
        """
    }
}
