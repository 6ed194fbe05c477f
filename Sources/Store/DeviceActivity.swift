import Postgres

/// When devices were seen: at most one write per device and day of UTC.
enum DeviceActivity {
    /// Registered devices were here just now. Days that are known already are not written again.
    static func see(
        _ devices: [(app: Int64, device: Int64)], on connection: PostgresConnection
    ) async throws {
        let devices = devices.sorted { $0 < $1 }
        try await connection.execute(
            """
            INSERT INTO device_activity AS a (app_id, device_id, last_seen_at)
            SELECT app_id, device_id, now()
            FROM unnest(\(devices.map(\.app)), \(devices.map(\.device))) AS g (app_id, device_id)
            ON CONFLICT (app_id, device_id) DO UPDATE SET last_seen_at = excluded.last_seen_at
            WHERE a.last_seen_at < date_trunc('day', now(), 'UTC')
            """, deadline: RegistrationStore.statementDeadline)
    }
}
