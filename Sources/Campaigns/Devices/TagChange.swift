/// A change to the tags of everybody in an audience, made step by step.
public enum TagChange {
    public typealias ID = Identifier<TagChange>
    public typealias Key = AppScopedID<TagChange>

    public enum State: String, CaseIterable, Hashable, Sendable {
        case running, finished, cancelled, failed
    }
}

/// Tags to add and tags to remove; each set is sorted by its bytes, and they have no tag in common.
public struct TagEdit: Hashable, Sendable {
    public var add: [String]
    public var remove: [String]

    public init(add: [String] = [], remove: [String] = []) {
        self.add = add
        self.remove = remove
    }

    public var isEmpty: Bool { add.isEmpty && remove.isEmpty }

    /// The same as a change of a profile.
    public var changes: ProfileChanges {
        var changes = ProfileChanges()
        if !isEmpty { changes.tags = .edit(add: add, remove: remove) }
        return changes
    }
}
