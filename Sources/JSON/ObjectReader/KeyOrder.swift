/// The order of an object's keys, so that they are written as they were read. It is not part of a value: payloads that
/// differ only in it are equal. It is empty for a value built in code, whose keys are written in the order of Apple's
/// tables.
public struct KeyOrder: Sendable, Equatable {
    private var indexes: [String: Int] = [:]

    public init() {}

    public init(_ members: [JSON.Member]) {
        for (index, member) in members.enumerated() where indexes[member.key] == nil { indexes[member.key] = index }
    }

    /// `members` in the order in which they were read, followed by those that were not read, in their order.
    public func arranged(_ members: [JSON.Member]) -> [JSON.Member] {
        guard !indexes.isEmpty else { return members }
        let placed = members.enumerated().map { (index: indexes[$1.key] ?? .max, offset: $0, member: $1) }
        return placed.sorted { ($0.index, $0.offset) < ($1.index, $1.offset) }.map(\.member)
    }

    public static func == (first: KeyOrder, second: KeyOrder) -> Bool { true }
}
