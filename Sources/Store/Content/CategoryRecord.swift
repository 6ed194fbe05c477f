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
    /// Raised by every edit.
    public let version: Int
    public let category: Category

    /// What a person should know of it, also beside all others of its app.
    public func warnings(among all: [CategoryRecord]) -> [Problem] {
        let others = all.filter { $0.id != id }.map(\.category)
        // The last one gets the blame for what is there twice.
        let place = "[\(others.count)]."
        let shared = Category.warnings(among: others + [category]).filter { $0.path.hasPrefix(place) }.map {
            Problem(
                path: String($0.path.dropFirst(place.count)), code: $0.code, message: $0.message,
                severity: $0.severity)
        }
        return category.warnings + shared
    }
}

extension CategoryRecord {
    static let columns: PostgresQuery = "id, app_id, created_at, updated_at, version, definition"

    init(_ row: PostgresRow) throws {
        id = try row[0]
        app = try row[1]
        createdAt = try row[2]
        updatedAt = try row[3]
        version = try row[4]
        category = try Category(json: JSON(parsing: row[5, as: String.self]))
    }
}
