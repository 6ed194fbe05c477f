import Campaigns
import Postgres

/// A table of entries: its columns, and the statements that are the same for all of them.
public struct EntryTable<Of, Value: Sendable>: Sendable {
    let pool: PostgresPool
    let name: String
    let resource: Resource
    /// Of an entry, for statements FROM this table.
    let columns: PostgresQuery
    /// Refusals of a deletion, by the constraints of tables whose rows use an entry.
    private let uses: [String: Refusal]
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

    /// The entry that a statement has written. Without a row, the entry is missing, archived, or at a newer version.
    func written(
        _ row: PostgresRow?, _ id: Identifier<Of>, app: App.ID, refusalOfArchived: Refusal? = nil
    ) async throws -> Entry<Of, Value> {
        if let row { return try entry(row) }
        let current = try await find(id, app: app)
        if let refusalOfArchived, current.archivedAt != nil { throw refusalOfArchived }
        throw Refusal.versionConflict(current: current.version)
    }

    /// Archives or unarchives the entry; does nothing if it is so already. Its version stays.
    func setArchived(
        _ isArchived: Bool, _ id: Identifier<Of>, app: App.ID, expectedVersion: Int?
    ) async throws -> Entry<Of, Value> {
        let rows = try await pool.query(
            """
            UPDATE \(unescaped: name)
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(archived_at, now()) END,
                updated_at = CASE WHEN (archived_at IS NOT NULL) = \(isArchived) THEN updated_at ELSE now() END
            WHERE \(row(id, app: app, at: expectedVersion))
            RETURNING \(columns)
            """)
        return try await written(rows.first, id, app: app)
    }

    func find(_ id: Identifier<Of>, app: App.ID) async throws -> Entry<Of, Value> {
        let rows = try await pool.query("SELECT \(columns) FROM \(unescaped: name) WHERE \(row(id, app: app))")
        guard let row = rows.first else { throw Refusal.notFound(resource) }
        return try entry(row)
    }

    func list(
        app: App.ID, _ filter: ListFilter, after: ListPosition?, limit: Int
    ) async throws -> [Entry<Of, Value>] {
        let rows = try await pool.query(
            """
            SELECT \(columns) FROM \(unescaped: name)
            WHERE \(unescaped: name).app_id = \(app) AND \(filter.condition(name, after: after))
            ORDER BY \(filter.ordering(name)) LIMIT \(limit)
            """)
        return try rows.map(entry)
    }

    func delete(_ id: Identifier<Of>, app: App.ID, expectedVersion: Int?) async throws {
        do throws(PostgresError) {
            let deleted = try await pool.execute(
                "DELETE FROM \(unescaped: name) WHERE \(row(id, app: app, at: expectedVersion))")
            if deleted > 0 { return }
        } catch {
            throw error.constraint.flatMap { uses[$0] } ?? error
        }
        _ = try await written(nil, id, app: app)
    }
}
