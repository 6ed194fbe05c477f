public import Campaigns
import JSON
public import Postgres

/// Changes to the tags of everybody in an audience. A worker makes them in steps; see `TagChangeSteps`.
public struct TagChangeStore: Sendable {
    /// Changes of one app that run at the same time.
    public static let maximumRunning = 10

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Starts a change and notifies the workers. Devices that register later are outside of it.
    public func create(
        app: App.ID, _ audience: Audience, _ resolved: ResolvedAudience, own: TagEdit, person: TagEdit
    ) async throws -> TagChangeRecord {
        // Serialized for each app, so that the limit is exact.
        let lock: PostgresQuery = "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE"
        return try await mappingConstraintErrors {
            try await pool.transaction(opening: [lock]) { connection, _ in
                let rows = try await connection.query(
                    """
                    WITH devices_now AS (
                        SELECT coalesce(min(id) - 1, 0) AS first, coalesce(max(id), 0) AS last
                        FROM devices WHERE app_id = \(app)
                    ), inserted AS (
                        INSERT INTO tag_changes (app_id, audience, resolved_audience, add_tags, remove_tags,
                            person_add_tags, person_remove_tags, first_device, device_ceiling, cursor)
                        SELECT \(app), \(audience.text)::json, \(resolved.json.text)::json, \(own.add), \(own.remove),
                            \(person.add), \(person.remove), first, last, first
                        FROM devices_now
                        WHERE (SELECT count(*) FROM tag_changes WHERE app_id = \(app) AND state = 'running')
                            < \(Self.maximumRunning)
                        RETURNING *
                    )
                    SELECT \(TagChangeRecord.columns), pg_notify('belfry_tag_changes', id::text) FROM inserted
                    """)
                guard let row = rows.first else { throw Refusal.tooManyTagChanges(limit: Self.maximumRunning) }
                return try TagChangeRecord(row)
            }
        }
    }

    public func find(_ id: TagChange.ID, app: App.ID) async throws -> TagChangeRecord {
        let rows = try await pool.query(
            "SELECT \(TagChangeRecord.columns) FROM tag_changes WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.tagChange) }
        return try TagChangeRecord(row)
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(
        app: App.ID, state: TagChange.State?, before: TagChange.ID?, limit: Int
    ) async throws -> [TagChangeRecord] {
        let rows = try await pool.query(
            """
            SELECT \(TagChangeRecord.columns) FROM tag_changes
            WHERE app_id = \(app) AND id < \(keysetBound(before)) AND (\(state)::text IS NULL OR state = \(state))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try TagChangeRecord($0) }
    }

    /// Ends a change that is running, after its present step; what was changed stays.
    public func cancel(_ id: TagChange.ID, app: App.ID, expectedVersion: Int? = nil) async throws -> TagChangeRecord {
        let rows = try await pool.query(
            """
            UPDATE tag_changes
            SET state = 'cancelled', finished_at = now(), updated_at = now(), version = version + 1
            WHERE app_id = \(app) AND id = \(id) AND state = 'running' AND \(isAt(expectedVersion))
            RETURNING \(TagChangeRecord.columns)
            """)
        if let row = rows.first { return try TagChangeRecord(row) }
        let current = try await find(id, app: app)
        try Refusal.checkVersion(current.version, expectedVersion)
        throw Refusal.tagChangeEnded(current.state)
    }
}
