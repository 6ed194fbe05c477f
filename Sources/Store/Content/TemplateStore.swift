public import Campaigns
public import Postgres

/// An app's templates. They are deleted with their versions, unless a campaign has used one.
public struct TemplateStore: EntryStore {
    public let table: EntryTable<Template, TemplateName>
    var pool: PostgresPool { table.pool }

    public init(pool: PostgresPool) {
        table = .templates(in: pool)
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
                SELECT \(table.columns) FROM inserted templates
                """)
        }
        guard let row = rows.first else { throw Refusal.notFound(.app) }
        return try table.entry(row)
    }

    /// Finds a template, with the content of a version or of the newest one.
    public func findContent(
        of id: Template.ID, app: App.ID, version: Int? = nil
    ) async throws -> (template: TemplateRecord, version: TemplateVersion) {
        let rows = try await pool.query(
            """
            SELECT \(table.columns), v.version AS number, v.created_at AS saved_at, v.content
            FROM templates
            LEFT JOIN template_versions v ON v.app_id = templates.app_id AND v.template_id = templates.id
                AND v.version = coalesce(\(version)::bigint, templates.version)
            WHERE \(table.row(id, app: app))
            """)
        guard let row = rows.first else { throw Refusal.notFound(.template) }
        guard let number = try row["number", as: Int?.self] else { throw Refusal.notFound(.version) }
        return (
            try table.entry(row),
            TemplateVersion(number: number, savedAt: try row["saved_at"], content: try row["content"])
        )
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
                    WHERE \(table.row(id, app: app, at: version)) AND archived_at IS NULL
                    RETURNING *
                ), saved AS (
                    INSERT INTO template_versions (app_id, template_id, version, content)
                    SELECT app_id, id, version, \(content)::json FROM changed
                )
                SELECT \(table.columns) FROM changed templates
                """)
        }
        return try await written(rows.first, id, app: app, refusalOfArchived: .templateArchived)
    }

    /// Creates a template with the newest content of this one.
    public func duplicate(_ id: Template.ID, app: App.ID, name: String) async throws -> TemplateRecord {
        let (_, version) = try await findContent(of: id, app: app)
        return try await create(app: app, name: name, content: version.content)
    }
}
