public import Postgres

// The place where tests write rows of `devices` that no registration made. A device's columns are named by expressions
// of SQL; those that are left out have the defaults below, or those of the table.

extension PostgresConnection {
    /// Inserts a device for each number `n`, in this order, and returns their ids. In a transaction of the caller's.
    @discardableResult
    public func insertDevices(
        _ numbers: ClosedRange<Int>, of app: some PostgresEncodable, _ columns: [String: PostgresQuery] = [:]
    ) async throws -> [Int64] {
        let installation = columns["installation"] ?? "n::text"
        let defaults: [String: PostgresQuery] = [
            "app_id": "\(app)::text::bigint", "environment": "0", "installation": installation,
            "token": "sha256(convert_to(\(installation), 'UTF8'))",
        ]
        // Sorted, so that equal columns make equal statements.
        let values = defaults.merging(columns) { $1 }.sorted { $0.key < $1.key }
        let rows = try await query(
            """
            WITH added AS (
                INSERT INTO devices (\(unescaped: values.map(\.key).joined(separator: ", "))) OVERRIDING SYSTEM VALUE
                SELECT \(values.dropFirst().reduce(values[0].value) { "\($0), \($1.value)" })
                FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) AS numbers (n) ORDER BY numbers.n
                RETURNING *
            ), seen AS (
                INSERT INTO device_activity (app_id, device_id, last_seen_at, profile, profile_since)
                SELECT d.app_id, d.id, d.token_registered_at, p.profile, clock_timestamp()
                FROM added d JOIN \(profiles(of: "added")) p ON p.app_id = d.app_id AND p.device_id = d.id
            )
            SELECT array_agg(id) FROM added
            """)
        return try rows[0][0]
    }
}

extension PostgresPool {
    /// Inserts a device for each number `n`, in this order, and returns their ids.
    @discardableResult
    public func insertDevices(
        _ numbers: ClosedRange<Int>, of app: some PostgresEncodable, _ columns: [String: PostgresQuery] = [:]
    ) async throws -> [Int64] {
        try await transaction { try await $0.insertDevices(numbers, of: app, columns) }
    }

    /// Inserts a device and returns its id.
    @discardableResult
    public func insertDevice(
        _ installation: String, of app: some PostgresEncodable, _ columns: [String: PostgresQuery] = [:]
    ) async throws -> Int64 {
        try await insertDevices(1...1, of: app, columns.merging(["installation": "\(installation)"]) { $1 })[0]
    }

    /// Changes the user, locale, versions or tags of devices. Other columns need no more than an UPDATE.
    public func changeDevices(_ assignments: PostgresQuery, where condition: PostgresQuery = "true") async throws {
        try await execute(
            """
            WITH replaced AS MATERIALIZED (
                SELECT app_id AS of_app, id AS device, user_id AS user_before FROM devices
                WHERE \(condition) ORDER BY id FOR UPDATE
            ), changed AS (
                UPDATE devices SET \(assignments) FROM replaced WHERE app_id = of_app AND id = device RETURNING *
            ), moved AS (
                SELECT a.app_id, a.device_id, p.profile, a.profile AS profile_before, c.user_before
                FROM \(profiles(of: "changed")) p
                JOIN changed c ON c.app_id = p.app_id AND c.id = p.device_id
                JOIN device_activity a ON a.app_id = p.app_id AND a.device_id = p.device_id
                WHERE p.profile <> a.profile OR c.user_id IS DISTINCT FROM c.user_before
            ), kept AS (
                INSERT INTO device_past (app_id, device_id, until, profile, user_id)
                SELECT app_id, device_id, now(), profile_before, user_before FROM moved
            )
            UPDATE device_activity a SET profile = m.profile, profile_since = now()
            FROM moved m WHERE a.app_id = m.app_id AND a.device_id = m.device_id
            """)
    }
}

/// As the statements of the stores do it.
private func profiles(of devices: String) -> PostgresQuery {
    """
    profile_codes(ARRAY(
        SELECT ROW(app_id, id, locale, os_version, app_version, tags)::device_look FROM \(unescaped: devices)))
    """
}
