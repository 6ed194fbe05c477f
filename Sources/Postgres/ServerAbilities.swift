/// Features that migrations use and a server may lack, because it was built without them or the role may not call them.
/// Belfry works without them.
///
/// Migrations never change, so the text of old ones is adapted to such a server.
struct ServerAbilities: Hashable {
    /// Whether values can be compressed with lz4. If not, PostgreSQL compresses them with pglz.
    var hasLZ4 = true
    /// Whether the role can read the system identifier. Migrations 13 to 48 store it.
    var hasSystemIdentifier = true
    /// Whether the role can read the position in the write-ahead log, and so the timeline.
    var hasTimeline = true

    /// Tries each on the server.
    static func find(on connection: PostgresConnection) async throws(PostgresError) -> ServerAbilities {
        let compression = try await connection.query(
            "SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)")
        return ServerAbilities(
            hasLZ4: !compression.isEmpty,
            hasSystemIdentifier: try await accepts(Self.systemIdentifier, on: connection),
            hasTimeline: try await accepts(Self.timeline, on: connection))
    }

    private static func accepts(
        _ expression: String, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            _ = try await connection.query("SELECT \(unescaped: expression)")
            return true
        } catch {
            guard error.kind == .server else { throw error }
            return false
        }
    }

    /// Returns the text of a migration without what the server lacks. Zero replaces values of columns that later
    /// migrations drop.
    func adapted(_ sql: String) -> String {
        guard self != ServerAbilities() else { return sql }
        let lines = sql.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            if !hasLZ4, line.hasPrefix("ALTER TABLE"), line.hasSuffix("SET COMPRESSION lz4;") { return nil }
            if !hasTimeline, line == "    \(Self.timeline)," { return "    0," }
            return hasSystemIdentifier ? String(line) : String(line.replacing(Self.systemIdentifier, with: "0"))
        }
        return lines.joined(separator: "\n")
    }

    private static let systemIdentifier = "(SELECT system_identifier FROM pg_control_system())"
    private static let timeline = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer"
}
