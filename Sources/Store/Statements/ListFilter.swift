public import Postgres

/// The conditions and the order of a list of things with names.
public struct ListFilter: Sendable {
    public enum Order: String, CaseIterable, Sendable {
        case newest, oldest, name, updated
    }

    public var isArchived = false
    /// Part of the name, in either case.
    public var search: String?
    /// Created at or after `since`, and before `until`.
    public var since: Timestamp?
    public var until: Timestamp?
    public var order = Order.newest

    public init() {}
}

/// The last entry of a page: its id, and what the list is sorted by.
public struct ListPosition: Equatable, Sendable {
    public let id: Int64
    /// The name, or the time of the last update in microseconds; empty when the list is sorted by id.
    public let key: String

    public init(id: Int64, key: String) {
        self.id = id
        self.key = key
    }
}

extension ListFilter {
    /// The position of an entry in this order.
    public func position(id: Int64, name: String, updatedAt: Timestamp) -> ListPosition {
        switch order {
        case .newest, .oldest: ListPosition(id: id, key: "")
        case .name: ListPosition(id: id, key: name)
        case .updated: ListPosition(id: id, key: String(updatedAt.microseconds))
        }
    }

    /// The conditions about a table, which must have the columns of named things.
    func condition(_ table: String, after: ListPosition?) -> PostgresQuery {
        let t = PostgresQuery(unescaped: table)
        var condition: PostgresQuery =
            "\(t).archived_at IS \(unescaped: isArchived ? "NOT NULL" : "NULL")"
        if let search { condition += " AND position(lower(\(search)) IN lower(\(t).name)) > 0" }
        if let since { condition += " AND \(t).created_at >= \(since)" }
        if let until { condition += " AND \(t).created_at < \(until)" }
        guard let after else { return condition }
        switch order {
        case .newest: condition += " AND \(t).id < \(after.id)"
        case .oldest: condition += " AND \(t).id > \(after.id)"
        case .name: condition += " AND (lower(\(t).name), \(t).id) > (lower(\(after.key)), \(after.id))"
        case .updated:
            let moment = Timestamp(microseconds: Int64(after.key) ?? 0)
            condition += " AND (\(t).updated_at, \(t).id) < (\(moment), \(after.id))"
        }
        return condition
    }

    /// For ORDER BY.
    func ordering(_ table: String) -> PostgresQuery {
        let columns =
            switch order {
            case .newest: "\(table).id DESC"
            case .oldest: "\(table).id"
            case .name: "lower(\(table).name), \(table).id"
            case .updated: "\(table).updated_at DESC, \(table).id DESC"
            }
        return PostgresQuery(unescaped: columns)
    }
}
