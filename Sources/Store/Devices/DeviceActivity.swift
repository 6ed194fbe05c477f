import Postgres

/// When devices were seen: at most one write per device and day of UTC.
///
/// An unchanged registration writes nothing else, so `token_registered_at` alone does not show that a token was told
/// again. A 410 counts only if Apple's timestamp is later than both `token_registered_at` and `last_seen_at`. What is
/// left is a device that was seen, fell silent at Apple and registered the same token again, all on one day: a late
/// 410 retires it until its app starts the next time, which revives it.
enum DeviceActivity {
    /// Registered devices were here just now. Days that are known already are not written again.
    static func see(_ devices: [(app: Int64, device: Int64)]) -> PostgresQuery {
        let devices = devices.sorted { $0 < $1 }
        return """
            INSERT INTO device_activity AS a (app_id, device_id, last_seen_at)
            SELECT app_id, device_id, now()
            FROM unnest(\(devices.map(\.app)), \(devices.map(\.device))) AS g (app_id, device_id)
            ON CONFLICT (app_id, device_id) DO UPDATE SET last_seen_at = excluded.last_seen_at
            WHERE a.last_seen_at < date_trunc('day', now(), 'UTC')
            """
    }
}
