public import Campaigns
public import Notifications
public import Postgres

/// An app's plans of local notifications.
public struct LocalPlanStore: Sendable {
    /// Plans of one app that are not archived: the notifications of each device are selected from all of them.
    public static let maximumCount = 50

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func create(app: App.ID, _ content: LocalPlanContent) async throws -> LocalPlanRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO local_plans (app_id, name, plan, archived_at)
                    SELECT \(app), \(content.name), \(content.text)::json, CASE WHEN \(content.isArchived) THEN now() END
                    WHERE \(content.isArchived) OR \(Self.hasRoom(app, besides: nil))
                    RETURNING \(LocalPlanRecord.columns)
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.plan, limit: Self.maximumCount) }
                return try LocalPlanRecord(row)
            }
        }
    }

    public func find(_ id: LocalPlan.ID, app: App.ID) async throws -> LocalPlanRecord {
        let rows = try await pool.query(
            "SELECT \(LocalPlanRecord.columns) FROM local_plans WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.plan) }
        return try LocalPlanRecord(row)
    }

    /// In the filter's order, after `after`.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), after: ListPosition? = nil, limit: Int
    ) async throws -> [LocalPlanRecord] {
        let rows = try await pool.query(
            """
            SELECT \(LocalPlanRecord.columns) FROM local_plans
            WHERE app_id = \(app) AND \(filter.condition("local_plans", after: after))
            ORDER BY \(filter.ordering("local_plans")) LIMIT \(limit)
            """)
        return try rows.map { try LocalPlanRecord($0) }
    }

    /// Replaces the version that was read; `versionConflict` when there is a newer one.
    public func update(
        _ id: LocalPlan.ID, app: App.ID, version: Int, to content: LocalPlanContent
    ) async throws -> LocalPlanRecord {
        let rows = try await mappingConstraintErrors {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
                try await connection.query(
                    """
                    UPDATE local_plans
                    SET name = \(content.name), plan = \(content.text)::json,
                        archived_at = CASE WHEN \(content.isArchived) THEN coalesce(archived_at, now()) END,
                        version = version + 1, updated_at = now()
                    WHERE app_id = \(app) AND id = \(id) AND version = \(version)
                        AND (\(content.isArchived) OR \(Self.hasRoom(app, besides: id)))
                    RETURNING \(LocalPlanRecord.columns)
                    """)
            }
        }
        if let row = rows.first { return try LocalPlanRecord(row) }
        let current = try await find(id, app: app).version
        guard current == version else { throw Refusal.versionConflict(current: current) }
        throw Refusal.tooMany(.plan, limit: Self.maximumCount)
    }

    public func delete(_ id: LocalPlan.ID, app: App.ID, expectedVersion: Int? = nil) async throws {
        let deleted = try await pool.execute(
            "DELETE FROM local_plans WHERE app_id = \(app) AND id = \(id) AND \(isAt(expectedVersion))")
        if deleted > 0 { return }
        throw Refusal.versionConflict(current: try await find(id, app: app).version)
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
            SELECT \(LocalPlanRecord.columns) FROM local_plans
            WHERE app_id = \(app) AND archived_at IS NULL
            ORDER BY id
            """)
        // Parsing many long plans on the event loop would delay other connections.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await Self.read(rows) }
    }

    @concurrent
    private static func read(_ rows: PostgresRows) async throws -> [LocalPlanRecord] {
        try rows.map { try LocalPlanRecord($0) }
    }

    /// Serializes changes for each app, so that the limit is exact.
    private static func lock(_ app: App.ID) -> PostgresQuery {
        "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE"
    }

    private static func hasRoom(_ app: App.ID, besides id: LocalPlan.ID?) -> PostgresQuery {
        """
        (SELECT count(*) FROM local_plans
            WHERE app_id = \(app) AND archived_at IS NULL AND id IS DISTINCT FROM \(id)) < \(maximumCount)
        """
    }
}
