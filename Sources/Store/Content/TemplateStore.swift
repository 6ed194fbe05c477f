public import Campaigns
public import Postgres

public struct TemplateStore: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates a template and its first version. `content` is the JSON of a validated `TemplateContent`.
    public func create(app: App.ID, name: String, content: String) async throws -> TemplateRecord {
        let rows = try await mappingConstraintErrors {
            try await pool.query(
                """
                WITH inserted AS (
                    INSERT INTO templates (app_id, name) VALUES (\(app), \(name)) RETURNING *
                ), saved AS (
                    INSERT INTO template_versions (app_id, template_id, version, content)
                    SELECT app_id, id, version, \(content)::json FROM inserted
                )
                SELECT \(TemplateRecord.columns) FROM inserted t
                """)
        }
        guard let row = rows.first else { throw Refusal.notFound(.app) }
        return try TemplateRecord(row)
    }

    /// Finds a template, with the content of a version or of the newest one.
    public func find(
        _ id: Template.ID, app: App.ID, version: Int? = nil
    ) async throws -> (template: TemplateRecord, version: TemplateVersion) {
        let rows = try await pool.query(
            """
            SELECT \(TemplateRecord.columns), v.version AS number, v.created_at AS saved_at, v.content
            FROM templates t
            LEFT JOIN template_versions v ON v.app_id = t.app_id AND v.template_id = t.id
                AND v.version = coalesce(\(version)::bigint, t.version)
            WHERE t.app_id = \(app) AND t.id = \(id)
            """)
        guard let row = rows.first else { throw Refusal.notFound(.template) }
        guard let number = try row["number", as: Int?.self] else { throw Refusal.notFound(.version) }
        return (
            try TemplateRecord(row),
            TemplateVersion(number: number, savedAt: try row["saved_at"], content: try row["content"])
        )
    }

    /// In the filter's order, after `after`.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), after: ListPosition? = nil, limit: Int
    ) async throws -> [TemplateRecord] {
        let rows = try await pool.query(
            """
            SELECT \(TemplateRecord.columns) FROM templates t
            WHERE t.app_id = \(app) AND \(filter.condition("t", after: after))
            ORDER BY \(filter.ordering("t")) LIMIT \(limit)
            """)
        return try rows.map { try TemplateRecord($0) }
    }

    /// Numbers and times of all versions, newest first; `before` is the last number of the page before. Empty also when
    /// there is no such template.
    public func versions(
        of id: Template.ID, app: App.ID, before: Int?, limit: Int
    ) async throws -> [(number: Int, savedAt: Timestamp)] {
        let rows = try await pool.query(
            """
            SELECT version, created_at FROM template_versions
            WHERE app_id = \(app) AND template_id = \(id) AND version < \(before ?? .max)
            ORDER BY version DESC LIMIT \(limit)
            """)
        return try rows.map { (try $0[0], try $0[1]) }
    }

    /// Saves a new version of the one that was read: `versionConflict` when there is a newer one.
    public func update(
        _ id: Template.ID, app: App.ID, version: Int, name: String, content: String
    ) async throws -> TemplateRecord {
        let rows = try await mappingConstraintErrors {
            try await pool.query(
                """
                WITH changed AS (
                    UPDATE templates SET name = \(name), version = version + 1, updated_at = now()
                    WHERE app_id = \(app) AND id = \(id) AND version = \(version) AND archived_at IS NULL
                    RETURNING *
                ), saved AS (
                    INSERT INTO template_versions (app_id, template_id, version, content)
                    SELECT app_id, id, version, \(content)::json FROM changed
                )
                SELECT \(TemplateRecord.columns) FROM changed t
                """)
        }
        if let row = rows.first { return try TemplateRecord(row) }
        let current = try await find(id, app: app).template
        if current.archivedAt != nil { throw Refusal.templateArchived }
        throw Refusal.versionConflict(current: current.version)
    }

    /// Creates a template with the newest content of this one.
    public func duplicate(_ id: Template.ID, app: App.ID, name: String) async throws -> TemplateRecord {
        let (_, version) = try await find(id, app: app)
        return try await create(app: app, name: name, content: version.content)
    }

    /// Deletes the template with its versions; not possible once a campaign has used it.
    public func delete(_ id: Template.ID, app: App.ID, expectedVersion: Int? = nil) async throws {
        do throws(PostgresError) {
            let deleted = try await pool.execute(
                "DELETE FROM templates WHERE app_id = \(app) AND id = \(id) AND \(isAt(expectedVersion))")
            if deleted > 0 { return }
        } catch {
            guard Self.useConstraints.contains(error.constraint ?? "") else { throw error }
            throw Refusal.templateInUse
        }
        throw Refusal.versionConflict(current: try await find(id, app: app).template.version)
    }

    private static let useConstraints: Set = [
        "campaigns_app_id_template_id_template_version_fkey", "runs_app_id_template_id_template_version_fkey",
    ]

    /// Archives or unarchives the template; does nothing if it is so already.
    public func setArchived(
        _ isArchived: Bool, _ id: Template.ID, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> TemplateRecord {
        let rows = try await pool.query(
            """
            UPDATE templates t
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(t.archived_at, now()) END,
                updated_at = CASE WHEN (t.archived_at IS NOT NULL) = \(isArchived) THEN t.updated_at ELSE now() END
            WHERE t.app_id = \(app) AND t.id = \(id) AND \(isAt(expectedVersion, "t.version"))
            RETURNING \(TemplateRecord.columns)
            """)
        if let row = rows.first { return try TemplateRecord(row) }
        throw Refusal.versionConflict(current: try await find(id, app: app).template.version)
    }
}
