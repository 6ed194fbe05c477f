import Postgres

/// When devices were seen: at most one write per device and day of UTC.
///
/// An unchanged registration writes nothing else, so `token_registered_at` alone does not show that a token was
/// registered again. A 410 counts only if Apple's timestamp is later than both `token_registered_at` and
/// `last_seen_at`. One case remains: a device is seen, its token becomes invalid at Apple, and it registers the same
/// token again, all on one day. A late 410 then retires it until its app starts the next time, which revives it.
enum DeviceActivity {
    /// Records that registered devices were seen now. A day that is stored already is not written again.
    static func markSeen(_ devices: [(app: Int64, device: Int64)]) -> PostgresQuery {
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
