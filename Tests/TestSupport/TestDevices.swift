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
                RETURNING id
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
        try await transaction { try await $0.execute("UPDATE devices SET \(assignments) WHERE \(condition)") }
    }
}
