public import Campaigns
import Postgres

/// A store of entries, with the statements that are the same for all of them.
public protocol EntryStore: Sendable {
    associatedtype Of
    associatedtype Value: Sendable

    var table: EntryTable<Of, Value> { get }
}

extension EntryStore {
    public func find(_ id: Identifier<Of>, app: App.ID) async throws -> Entry<Of, Value> {
        let rows = try await table.pool.query(
            "SELECT \(table.columns) FROM \(unescaped: table.name) WHERE \(table.row(id, app: app))")
        guard let row = rows.first else { throw Refusal.notFound(table.resource) }
        return try table.entry(row)
    }

    /// Not possible while something uses the entry.
    public func delete(_ id: Identifier<Of>, app: App.ID, expectedVersion: Int? = nil) async throws {
        do throws(PostgresError) {
            let deleted = try await table.pool.execute(
                "DELETE FROM \(unescaped: table.name) WHERE \(table.row(id, app: app, at: expectedVersion))")
            if deleted > 0 { return }
        } catch {
            throw error.constraint.flatMap { table.uses[$0] } ?? error
        }
        _ = try await written(nil, id, app: app)
    }

    /// The entry that a statement has written. Without a row, the entry is missing, archived, or at a newer version.
    func written(
        _ row: PostgresRow?, _ id: Identifier<Of>, app: App.ID, refusalOfArchived: Refusal? = nil
    ) async throws -> Entry<Of, Value> {
        if let row { return try table.entry(row) }
        let current = try await find(id, app: app)
        if let refusalOfArchived, current.archivedAt != nil { throw refusalOfArchived }
        throw Refusal.versionConflict(current: current.version)
    }
}

extension EntryStore where Value: Named {
    /// In the filter's order, after `after`.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), after: ListPosition? = nil, limit: Int
    ) async throws -> [Entry<Of, Value>] {
        let rows = try await table.pool.query(
            """
            SELECT \(table.columns) FROM \(unescaped: table.name)
            WHERE \(unescaped: table.name).app_id = \(app) AND \(filter.condition(table.name, after: after))
            ORDER BY \(filter.ordering(table.name)) LIMIT \(limit)
            """)
        return try rows.map(table.entry)
    }

    /// Archives or unarchives the entry; does nothing if it is so already. Its version stays.
    public func setArchived(
        _ isArchived: Bool, _ id: Identifier<Of>, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> Entry<Of, Value> {
        let rows = try await table.pool.query(
            """
            UPDATE \(unescaped: table.name)
            SET archived_at = CASE WHEN \(isArchived) THEN coalesce(archived_at, now()) END,
                updated_at = CASE WHEN (archived_at IS NOT NULL) = \(isArchived) THEN updated_at ELSE now() END
            WHERE \(table.row(id, app: app, at: expectedVersion))
            RETURNING \(table.columns)
            """)
        return try await written(rows.first, id, app: app)
    }
}
