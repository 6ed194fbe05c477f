public import Campaigns

/// A store of entries.
public protocol EntryStore: Sendable {
    associatedtype Of
    associatedtype Value: Sendable

    var table: EntryTable<Of, Value> { get }
}

extension EntryStore {
    public func find(_ id: Identifier<Of>, app: App.ID) async throws -> Entry<Of, Value> {
        try await table.find(id, app: app)
    }

    /// Not possible while something uses the entry.
    public func delete(_ id: Identifier<Of>, app: App.ID, expectedVersion: Int? = nil) async throws {
        try await table.delete(id, app: app, expectedVersion: expectedVersion)
    }
}

extension EntryStore where Value: Named {
    /// In the filter's order, after `after`.
    public func list(
        app: App.ID, _ filter: ListFilter = ListFilter(), after: ListPosition? = nil, limit: Int
    ) async throws -> [Entry<Of, Value>] {
        try await table.list(app: app, filter, after: after, limit: limit)
    }
}
