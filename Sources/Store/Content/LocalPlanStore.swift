public import Campaigns
public import Notifications
public import Postgres

/// An app's plans of local notifications.
public struct LocalPlanStore: Sendable {
    /// Plans of one app that are not archived: each phone's share is chosen out of all of them.
    public static let maximumCount = 50

    private let pool: PostgresPool
    private let scheduled = VersionedCache<[LocalPlan]>()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func create(app: App.ID, _ content: LocalPlanContent) async throws -> LocalPlanRecord {
        try await refusing {
            try await pool.transaction(opening: [Self.lock(app)]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO local_plans (app_id, name, plan, archived_at)
                    SELECT \(app), \(content.name), \(content.text)::json, CASE WHEN \(content.isArchived) THEN now() END
                    WHERE \(content.isArchived) OR \(Self.hasRoom(app, besides: nil))
                    RETURNING \(LocalPlanRecord.columns)
                    """)
                guard let row = rows.first else { throw StoreRefusal.tooMany(.plan, limit: Self.maximumCount) }
                return try LocalPlanRecord(row)
            }
        }
    }

    public func find(_ id: LocalPlan.ID, app: App.ID) async throws -> LocalPlanRecord {
        let rows = try await pool.query(
            "SELECT \(LocalPlanRecord.columns) FROM local_plans WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw StoreRefusal.notFound(.plan) }
        return try LocalPlanRecord(row)
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(app: App.ID, before: LocalPlan.ID?, limit: Int) async throws -> [LocalPlanRecord] {
        let rows = try await pool.query(
            """
            SELECT \(LocalPlanRecord.columns) FROM local_plans
            WHERE app_id = \(app) AND id < \(keysetBound(before))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try LocalPlanRecord($0) }
    }

    /// Replaces the version that was read; `versionConflict` when there is a newer one.
    public func update(
        _ id: LocalPlan.ID, app: App.ID, version: Int, to content: LocalPlanContent
    ) async throws -> LocalPlanRecord {
        let rows = try await refusing {
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
        guard current == version else { throw StoreRefusal.versionConflict(current: current) }
        throw StoreRefusal.tooMany(.plan, limit: Self.maximumCount)
    }

    public func delete(_ id: LocalPlan.ID, app: App.ID) async throws {
        let deleted = try await pool.execute("DELETE FROM local_plans WHERE app_id = \(app) AND id = \(id)")
        guard deleted > 0 else { throw StoreRefusal.notFound(.plan) }
    }

    /// The plans that phones get, in the order in which they were made.
    public func scheduled(app: App.ID) async throws -> [LocalPlan] {
        let rows = try await pool.query(
            "SELECT id, version FROM local_plans WHERE app_id = \(app) AND archived_at IS NULL ORDER BY id")
        let stamp = VersionedCache<[LocalPlan]>.Stamp(
            try rows.map { row in (id: try row[0, as: LocalPlan.ID.self], version: try row[1, as: Int.self]) })
        if let known = scheduled.value(of: app, at: stamp) { return known }
        let found = try await pool.query(
            """
            SELECT \(LocalPlanRecord.columns) FROM local_plans
            WHERE app_id = \(app) AND archived_at IS NULL
            ORDER BY id
            """)
        // Many and long plans take the time that the loop's other connections need.
        let records = try await withTaskExecutorPreference(globalConcurrentExecutor) { try await Self.read(found) }
        let plans = records.map(\.plan)
        scheduled.keep(plans, of: app, at: .init(records.map { ($0.id, $0.version) }))
        return plans
    }

    @concurrent
    private static func read(_ rows: PostgresRows) async throws -> [LocalPlanRecord] {
        try rows.map { try LocalPlanRecord($0) }
    }

    /// One at a time for each app, so that the count holds.
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
