public import Campaigns
public import Notifications
public import Postgres

/// An app's plans of local notifications.
public struct LocalPlanStore: EntryStore {
    /// Plans of one app that are not archived: the notifications of each device are selected from all of them.
    public static let maximumCount = 50

    public let table: EntryTable<LocalPlan, NamedPlan>
    private var pool: PostgresPool { table.pool }

    public init(pool: PostgresPool) {
        table = .localPlans(in: pool)
    }

    public func create(app: App.ID, _ content: LocalPlanContent) async throws -> LocalPlanRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [table.lock(app)]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO local_plans (app_id, name, plan, archived_at)
                    SELECT \(app), \(content.name), \(content.text)::json, CASE WHEN \(content.isArchived) THEN now() END
                    WHERE \(content.isArchived) OR \(Self.hasRoom(app, besides: nil))
                    RETURNING \(table.columns)
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.plan, limit: Self.maximumCount) }
                return try table.entry(row)
            }
        }
    }

    /// Replaces the version that was read; `versionConflict` when there is a newer one.
    public func update(
        _ id: LocalPlan.ID, app: App.ID, version: Int, to content: LocalPlanContent
    ) async throws -> LocalPlanRecord {
        let rows = try await mappingConstraintErrors {
            try await pool.transaction(opening: [table.lock(app)]) { connection, _ in
                try await connection.query(
                    """
                    UPDATE local_plans
                    SET name = \(content.name), plan = \(content.text)::json,
                        archived_at = CASE WHEN \(content.isArchived) THEN coalesce(archived_at, now()) END,
                        version = version + 1, updated_at = now()
                    WHERE \(table.row(id, app: app, at: version))
                        AND (\(content.isArchived) OR \(Self.hasRoom(app, besides: id)))
                    RETURNING \(table.columns)
                    """)
            }
        }
        if rows.isEmpty, try await find(id, app: app).version == version {
            throw Refusal.tooMany(.plan, limit: Self.maximumCount)
        }
        return try await written(rows.first, id, app: app)
    }

    /// The ids and versions of the plans that are not archived, in the order of their creation.
    public func activeVersions(app: App.ID) async throws -> [(id: LocalPlan.ID, version: Int)] {
        let rows = try await pool.query(
            "SELECT id, version FROM local_plans WHERE app_id = \(app) AND archived_at IS NULL ORDER BY id")
        return try rows.map { row in (id: try row[0], version: try row[1]) }
    }

    /// The plans that are not archived, in the order of their creation.
    public func active(app: App.ID) async throws -> [LocalPlanRecord] {
        let rows = try await pool.query(
            """
            SELECT \(table.columns) FROM local_plans
            WHERE app_id = \(app) AND archived_at IS NULL
            ORDER BY id
            """)
        // Parsing many long plans on the event loop would delay other connections.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try rows.map(table.entry) }
    }

    private static func hasRoom(_ app: App.ID, besides id: LocalPlan.ID?) -> PostgresQuery {
        """
        (SELECT count(*) FROM local_plans
            WHERE app_id = \(app) AND archived_at IS NULL AND id IS DISTINCT FROM \(id)) < \(maximumCount)
        """
    }
}
