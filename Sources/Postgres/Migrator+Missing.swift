extension Migrator {
    /// The migrations that the database does not have. Nothing is changed. Throws `MigrationError` when the database has a
    /// schema that this program can neither use nor upgrade, and `PostgresError`.
    public func missing(on connection: PostgresConnection) async throws -> [Migration] {
        guard try await hasTable(on: connection) else { return migrations }
        let recorded = try await recorded(on: connection)
        return try next(after: recorded, .all, isNew: false) == nil ? [] : Array(migrations.dropFirst(recorded.count))
    }

    /// The schema of a database; nil if it has none. Nothing is changed.
    public func state(on connection: PostgresConnection) async throws -> SchemaState? {
        guard try await hasTable(on: connection) else { return nil }
        return Self.state(try await recorded(on: connection))
    }
}
