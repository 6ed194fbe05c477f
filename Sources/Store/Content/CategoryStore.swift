public import Campaigns
import JSON
public import Notifications
public import Postgres

/// An app's notification categories.
public struct CategoryStore: Sendable {
    /// Categories of one app: phones register all of them at each launch.
    public static let maximumCount = 100

    private let pool: PostgresPool
    private let registered = VersionedCache<[Category]>()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func create(app: App.ID, _ category: Category) async throws -> CategoryRecord {
        try await refusing {
            // One at a time for each app, so that the count holds.
            let lock: PostgresQuery = "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE"
            return try await pool.transaction(opening: [lock]) { connection, _ in
                let rows = try await connection.query(
                    """
                    INSERT INTO categories (app_id, identifier, definition)
                    SELECT \(app), \(category.identifier), \(category.text)::json
                    WHERE (SELECT count(*) FROM categories WHERE app_id = \(app)) < \(Self.maximumCount)
                    RETURNING \(CategoryRecord.columns)
                    """)
                guard let row = rows.first else { throw StoreRefusal.tooMany(.category, limit: Self.maximumCount) }
                return try CategoryRecord(row)
            }
        }
    }

    public func find(_ id: Category.ID, app: App.ID) async throws -> CategoryRecord {
        let rows = try await pool.query(
            "SELECT \(CategoryRecord.columns) FROM categories WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw StoreRefusal.notFound(.category) }
        return try CategoryRecord(row)
    }

    /// All of an app, newest first.
    public func all(app: App.ID) async throws -> [CategoryRecord] {
        let rows = try await pool.query(
            "SELECT \(CategoryRecord.columns) FROM categories WHERE app_id = \(app) ORDER BY id DESC")
        return try rows.map { try CategoryRecord($0) }
    }

    /// All of an app as phones get them, by their identifiers.
    public func registered(app: App.ID) async throws -> [Category] {
        let rows = try await pool.query(
            "SELECT id, version FROM categories WHERE app_id = \(app) ORDER BY id DESC")
        let stamp = VersionedCache<[Category]>.Stamp(
            try rows.map { row in (id: try row[0, as: Category.ID.self], version: try row[1, as: Int.self]) })
        if let known = registered.value(of: app, at: stamp) { return known }
        let records = try await all(app: app)
        let categories = records.map(\.category).sorted { $0.identifier < $1.identifier }
        registered.keep(categories, of: app, at: .init(records.map { ($0.id, $0.version) }))
        return categories
    }

    /// Replaces the version that was read; `versionConflict` when there is a newer one.
    public func update(
        _ id: Category.ID, app: App.ID, version: Int, to category: Category
    ) async throws -> CategoryRecord {
        let rows = try await refusing {
            try await pool.query(
                """
                UPDATE categories
                SET identifier = \(category.identifier), definition = \(category.text)::json,
                    version = version + 1, updated_at = now()
                WHERE app_id = \(app) AND id = \(id) AND version = \(version)
                RETURNING \(CategoryRecord.columns)
                """)
        }
        guard let row = rows.first else {
            throw StoreRefusal.versionConflict(current: try await find(id, app: app).version)
        }
        return try CategoryRecord(row)
    }

    public func delete(_ id: Category.ID, app: App.ID) async throws {
        let deleted = try await pool.execute("DELETE FROM categories WHERE app_id = \(app) AND id = \(id)")
        guard deleted > 0 else { throw StoreRefusal.notFound(.category) }
    }
}

extension Category {
    fileprivate var text: String { String(decoding: json.encoded(), as: UTF8.self) }
}
