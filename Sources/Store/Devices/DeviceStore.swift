public import Campaigns
public import Postgres

/// Reads and removes single devices.
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

    /// Retires the device and deletes its token. A device that was removed before does not change.
    public func remove(app: App.ID, _ address: DeviceAddress, expectedVersion: Int? = nil) async throws {
        let rows = try await pool.query(
            """
            WITH known AS (
                SELECT app_id, id, \(DeviceRecord.version) AS version FROM devices d
                WHERE app_id = \(app) AND installation = \(address.installation) AND kind = \(address.kind)
                    AND activity = \(address.activity)
                FOR UPDATE
            ), removed AS (
                UPDATE devices d
                SET token = NULL, retired_at = now(), retired_reason = \(RetiredReason.removed), updated_at = now()
                FROM known k
                WHERE d.app_id = k.app_id AND d.id = k.id AND \(isAt(expectedVersion, "k.version"))
                    AND d.retired_reason IS DISTINCT FROM \(RetiredReason.removed)
            )
            SELECT version FROM known
            """)
        guard let row = rows.first else { throw Refusal.notFound(.device) }
        try Refusal.checkVersion(try row[0], expectedVersion)
    }
}
