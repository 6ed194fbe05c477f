public import Campaigns
public import Postgres

/// Something of an app that people edit, as it is stored: a template, a segment, a category, or a plan.
@dynamicMemberLookup
public struct Entry<Of, Value: Sendable>: Sendable {
    public let id: Identifier<Of>
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Nil unless it is archived.
    public let archivedAt: Timestamp?
    /// Raised by every edit.
    public let version: Int
    public let value: Value

    /// A member of the value.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}

extension Entry: Equatable where Value: Equatable {}
extension Entry: Hashable where Value: Hashable {}

/// What people find in a list by its name.
public protocol Named {
    var name: String { get }
}

/// The name that people give an entry.
public enum EntryName {
    /// Characters.
    public static let maximumLength = 200
}

extension ListFilter {
    /// The position of an entry in this order.
    public func position<Of>(of entry: Entry<Of, some Named>) -> ListPosition {
        position(id: entry.id.rawValue, name: entry.name, updatedAt: entry.updatedAt)
    }
}
