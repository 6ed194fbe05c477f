import Campaigns
import Postgres

/// A table of entries: its columns, how they are read, and parts of statements.
public struct EntryTable<Of, Value: Sendable>: Sendable {
    let pool: PostgresPool
    let name: String
    let resource: Resource
    /// Of an entry, for statements FROM this table.
    let columns: PostgresQuery
    /// Refusals of a deletion, by the constraints of tables whose rows use an entry.
    let uses: [String: Refusal]
    private let value: @Sendable (PostgresRow, Identifier<Of>) throws -> Value

    /// `columns` are those that `value` reads, besides those of every entry.
    init(
        _ name: String, of resource: Resource, columns: [String], uses: [String: Refusal] = [:], in pool: PostgresPool,
        value: @escaping @Sendable (PostgresRow, Identifier<Of>) throws -> Value
    ) {
        let all = ["id", "app_id", "created_at", "updated_at", "archived_at", "version"] + columns
        self.pool = pool
        self.name = name
        self.resource = resource
        self.columns = PostgresQuery(unescaped: all.map { "\(name).\($0)" }.joined(separator: ", "))
        self.uses = uses
        self.value = value
    }

    func entry(_ row: PostgresRow) throws -> Entry<Of, Value> {
        let id: Identifier<Of> = try row["id"]
        return Entry(
            id: id, app: try row["app_id"], createdAt: try row["created_at"], updatedAt: try row["updated_at"],
            archivedAt: try row["archived_at"], version: try row["version"], value: try value(row, id))
    }

    /// Serializes changes for each app: a limit is exact, and two changes together break no rule.
    func lock(_ app: App.ID) -> PostgresQuery { "SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE" }

    /// The conditions on the row of an entry, at the version if there is one.
    func row(_ id: Identifier<Of>, app: App.ID, at version: Int? = nil) -> PostgresQuery {
        let table = PostgresQuery(unescaped: name)
        return "\(table).app_id = \(app) AND \(table).id = \(id) AND \(isAt(version, "\(table).version"))"
    }
}
