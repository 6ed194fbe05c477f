public import Campaigns
import JSON
import Notifications
public import Postgres

/// Stores the segments of an app. The table `segment_uses` prevents the deletion of used segments.
public struct SegmentStore: Sendable {
    /// Segments of one app.
    public static let maximumCount = 1_000

    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates a segment. `audience` was checked by `AudienceCheck` and has a condition. Throws `Problems` when its
    /// segments are nested too deeply.
    public func create(app: App.ID, name: String, audience: Audience) async throws -> SegmentRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
                try await checkNesting(of: nil, audience, app: app, connection)
                let rows = try await connection.query(
                    """
                    WITH inserted AS (
                        INSERT INTO segments (app_id, name, audience)
                        SELECT \(app), \(name), \(audience.text)::json
                        WHERE (SELECT count(*) FROM segments WHERE app_id = \(app)) < \(Self.maximumCount)
                        RETURNING *
                    )
                    SELECT \(SegmentRecord.columns) FROM inserted s
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.segment, limit: Self.maximumCount) }
                let segment = try SegmentRecord(row)
                try await connection.execute(
                    SegmentReferences.replace(of: .segment(segment.id), app: app, with: audience))
                return segment
            }
        }
    }

    public func find(_ id: Segment.ID, app: App.ID) async throws -> SegmentRecord {
        let rows = try await pool.query(
            "SELECT \(SegmentRecord.columns) FROM segments s WHERE s.app_id = \(app) AND s.id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.segment) }
        return try SegmentRecord(row)
    }

    /// In the filter's order, after `after`.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), after: ListPosition? = nil, limit: Int
    ) async throws -> [SegmentRecord] {
        let rows = try await pool.query(
            """
            SELECT \(SegmentRecord.columns) FROM segments s
            WHERE s.app_id = \(app) AND \(filter.condition("s", after: after))
            ORDER BY \(filter.ordering("s")) LIMIT \(limit)
            """)
        return try rows.map { try SegmentRecord($0) }
    }

    /// Replaces the version that was read: `versionConflict` when there is a newer one. Throws `Problems` when segments
    /// would form a cycle or be nested too deeply.
    public func update(
        _ id: Segment.ID, app: App.ID, version: Int, name: String, audience: Audience
    ) async throws -> SegmentRecord {
        let updated = try await mappingConstraintErrors {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ -> SegmentRecord? in
                try await checkNesting(of: id, audience, app: app, connection)
                let rows = try await connection.query(
                    """
                    UPDATE segments s
                    SET name = \(name), audience = \(audience.text)::json, version = version + 1, updated_at = now()
                    WHERE s.app_id = \(app) AND s.id = \(id) AND s.version = \(version) AND s.archived_at IS NULL
                    RETURNING \(SegmentRecord.columns)
                    """)
                guard let row = rows.first else { return nil }
                try await connection.execute(SegmentReferences.replace(of: .segment(id), app: app, with: audience))
                return try SegmentRecord(row)
            }
        }
        if let updated { return updated }
        let current = try await find(id, app: app)
        if current.archivedAt != nil { throw Refusal.segmentArchived }
        throw Refusal.versionConflict(current: current.version)
    }

    /// Archives or unarchives the segment; does nothing if it is so already.
    public func setArchived(
        _ isArchived: Bool, _ id: Segment.ID, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> SegmentRecord {
        let rows = try await pool.query(
            """
            UPDATE segments s
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(s.archived_at, now()) END,
                updated_at = CASE WHEN (s.archived_at IS NOT NULL) = \(isArchived) THEN s.updated_at ELSE now() END
            WHERE s.app_id = \(app) AND s.id = \(id) AND \(isAt(expectedVersion, "s.version"))
            RETURNING \(SegmentRecord.columns)
            """)
        if let row = rows.first { return try SegmentRecord(row) }
        throw Refusal.versionConflict(current: try await find(id, app: app).version)
    }

    /// Deletes the segment; not possible while a segment or a campaign uses it.
    public func delete(_ id: Segment.ID, app: App.ID, expectedVersion: Int? = nil) async throws {
        do throws(PostgresError) {
            let deleted = try await pool.execute(
                "DELETE FROM segments WHERE app_id = \(app) AND id = \(id) AND \(isAt(expectedVersion))")
            if deleted > 0 { return }
        } catch {
            guard error.constraint == SegmentReferences.constraint else { throw error }
            throw Refusal.segmentInUse
        }
        throw Refusal.versionConflict(current: try await find(id, app: app).version)
    }

    /// Serializes changes for each app: two concurrent changes could otherwise create a cycle.
    private static func lock(_ app: App.ID) -> PostgresQuery {
        "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE"
    }

    private func checkNesting(
        of id: Segment.ID?, _ audience: Audience, app: App.ID, _ connection: PostgresConnection
    ) async throws {
        guard !audience.segments.isEmpty else { return }
        let rows = try await connection.query(
            "SELECT by_segment_id, segment_id FROM segment_uses WHERE app_id = \(app) AND by_segment_id IS NOT NULL")
        let graph = SegmentGraph(try rows.map { (user: try $0[0], used: try $0[1]) })
        let problems = graph.problems(saving: id, audience)
        guard problems.isEmpty else { throw Problems(problems.map { $0.inside("audience") }) }
    }
}
