public import Campaigns
public import JSON
public import Notifications
public import Postgres

extension Category {
    public typealias ID = Identifier<Category>
}

/// A notification category as it is stored.
public struct CategoryRecord: Equatable, Sendable {
    public let id: Category.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Nil unless it is archived.
    public let archivedAt: Timestamp?
    /// Raised by every edit.
    public let version: Int
    public let category: Category

    /// Warnings about the category, by itself and together with the app's other categories.
    public func warnings(among all: [CategoryRecord]) -> [Problem] {
        let others = all.filter { $0.id != id }.map(\.category)
        // The warnings about duplicates are attributed to the last one.
        let prefix = "[\(others.count)]."
        let shared = Category.warnings(among: others + [category]).filter { $0.path.hasPrefix(prefix) }.map {
            Problem(
                path: String($0.path.dropFirst(prefix.count)), code: $0.code, message: $0.message,
                severity: $0.severity, fix: $0.fix)
        }
        return category.warnings + shared
    }
}

extension CategoryRecord {
    static let columns: PostgresQuery = "id, app_id, created_at, updated_at, archived_at, version, definition"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        archivedAt = try row["archived_at"]
        version = try row["version"]
        category = try Category(json: JSON(parsing: row["definition", as: String.self]))
    }
}
