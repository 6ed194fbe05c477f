public import Campaigns
import JSON
import Notifications
public import Postgres

/// Stores the segments of an app. The table `segment_uses` prevents the deletion of used segments.
public struct SegmentStore: EntryStore {
    /// Segments of one app.
    public static let maximumCount = 1_000

    public let table: EntryTable<Segment, NamedAudience>
    var pool: PostgresPool { table.pool }

    public init(pool: PostgresPool) {
        table = .segments(in: pool)
    }

    /// Creates a segment. `audience` was checked by `AudienceCheck` and has a condition. Throws `Problems` when its
    /// segments are nested too deeply.
    public func create(app: App.ID, name: String, audience: Audience) async throws -> SegmentRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [table.lock(app)]) { connection, _ in
                try await checkNesting(of: nil, audience, app: app, connection)
                let rows = try await connection.query(
                    """
                    WITH inserted AS (
                        INSERT INTO segments (app_id, name, audience)
                        SELECT \(app), \(name), \(audience.text)::json
                        WHERE (SELECT count(*) FROM segments WHERE app_id = \(app)) < \(Self.maximumCount)
                        RETURNING *
                    )
                    SELECT \(table.columns) FROM inserted segments
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.segment, limit: Self.maximumCount) }
                let segment = try table.entry(row)
                try await connection.execute(
                    SegmentReferences.replace(of: .segment(segment.id), app: app, with: audience))
                return segment
            }
        }
    }

    /// Replaces the version that was read: `versionConflict` when there is a newer one. Throws `Problems` when segments
    /// would form a cycle or be nested too deeply.
    public func update(
        _ id: Segment.ID, app: App.ID, version: Int, name: String, audience: Audience
    ) async throws -> SegmentRecord {
        let updated = try await mappingConstraintErrors {
            try await pool.transaction(opening: [table.lock(app)]) { connection, _ -> PostgresRow? in
                try await checkNesting(of: id, audience, app: app, connection)
                let rows = try await connection.query(
                    """
                    UPDATE segments
                    SET name = \(name), audience = \(audience.text)::json, version = version + 1, updated_at = now()
                    WHERE \(table.row(id, app: app, at: version)) AND archived_at IS NULL
                    RETURNING \(table.columns)
                    """)
                if !rows.isEmpty {
                    try await connection.execute(SegmentReferences.replace(of: .segment(id), app: app, with: audience))
                }
                return rows.first
            }
        }
        return try await written(updated, id, app: app, refusalOfArchived: .segmentArchived)
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
