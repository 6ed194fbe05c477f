public import Campaigns
public import JSON
public import Notifications
import Postgres

extension Category {
    public typealias ID = Identifier<Category>
}

/// A notification category as it is stored.
public typealias CategoryRecord = Entry<Category, Category>

extension CategoryRecord {
    /// Warnings about the category, by itself and together with the app's other categories.
    public func warnings(among all: [CategoryRecord]) -> [Problem] {
        let others = all.filter { $0.id != id }.map(\.value)
        // The warnings about duplicates are attributed to the last one.
        let prefix = "[\(others.count)]."
        let shared = Category.warnings(among: others + [value]).filter { $0.path.hasPrefix(prefix) }.map {
            Problem(
                path: String($0.path.dropFirst(prefix.count)), code: $0.code, message: $0.message,
                severity: $0.severity, fix: $0.fix)
        }
        return value.warnings + shared
    }
}

extension EntryTable<Category, Category> {
    static func categories(in pool: PostgresPool) -> Self {
        EntryTable("categories", of: .category, columns: ["definition"], in: pool) { row, _ in
            try Category(json: JSON(parsing: row["definition", as: String.self]))
        }
    }
}
