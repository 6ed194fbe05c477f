public import Campaigns
import JSON
public import Notifications
public import Postgres

/// An app's notification categories.
public struct CategoryStore: EntryStore {
    /// Categories of one app: devices register all of them at each launch.
    public static let maximumCount = 100

    public let table: EntryTable<Category, Category>
    private var pool: PostgresPool { table.pool }

    public init(pool: PostgresPool) {
        table = .categories(in: pool)
    }

    public func create(app: App.ID, _ category: Category) async throws -> CategoryRecord {
        try await mappingConstraintErrors {
            try await pool.transaction(opening: [table.lock(app)]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO categories (app_id, identifier, definition)
                    SELECT \(app), \(category.identifier), \(category.text)::json
                    WHERE (SELECT count(*) FROM categories WHERE app_id = \(app)) < \(Self.maximumCount)
                    RETURNING \(table.columns)
                    """)
                guard let row = rows.first else { throw Refusal.tooMany(.category, limit: Self.maximumCount) }
                return try table.entry(row)
            }
        }
    }

    /// All of an app, newest first. Archived ones are among them: apps go on registering them, because pushes on phones
    /// name them.
    public func all(app: App.ID) async throws -> [CategoryRecord] {
        let rows = try await pool.query(
            "SELECT \(table.columns) FROM categories WHERE app_id = \(app) ORDER BY id DESC")
        return try rows.map(table.entry)
    }

    /// The ids and versions of all categories, newest first.
    public func versions(app: App.ID) async throws -> [(id: Category.ID, version: Int)] {
        let rows = try await pool.query(
            "SELECT id, version FROM categories WHERE app_id = \(app) ORDER BY id DESC")
        return try rows.map { row in (id: try row[0], version: try row[1]) }
    }

    /// Replaces the version that was read; `versionConflict` when there is a newer one.
    public func update(
        _ id: Category.ID, app: App.ID, version: Int, to category: Category
    ) async throws -> CategoryRecord {
        let rows = try await mappingConstraintErrors {
            try await pool.query(
                """
                UPDATE categories
                SET identifier = \(category.identifier), definition = \(category.text)::json,
                    version = version + 1, updated_at = now()
                WHERE \(table.row(id, app: app, at: version))
                RETURNING \(table.columns)
                """)
        }
        return try await written(rows.first, id, app: app)
    }

    /// Moves the category into the archive, or out of it.
    public func archive(
        _ isArchived: Bool, _ id: Category.ID, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> CategoryRecord {
        let rows = try await pool.query(
            """
            UPDATE categories
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(archived_at, now()) END,
                version = version + 1, updated_at = now()
            WHERE \(table.row(id, app: app, at: expectedVersion))
            RETURNING \(table.columns)
            """)
        return try await written(rows.first, id, app: app)
    }
}

extension Category {
    fileprivate var text: String { String(decoding: json.encoded(), as: UTF8.self) }
}
