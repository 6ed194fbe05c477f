/// The order in which an object's keys came, so that they go out in it. No part of a value: payloads that differ in it
/// alone are equal. Of one that was built by hand nothing is known, and its keys go out in the order of Apple's tables.
public struct KeyOrder: Sendable, Equatable {
    private var places: [String: Int] = [:]

    public init() {}

    public init(_ members: [JSON.Member]) {
        for (place, member) in members.enumerated() where places[member.key] == nil { places[member.key] = place }
    }

    /// `members` as they came; those that did not come stand behind, as they are.
    public func arranged(_ members: [JSON.Member]) -> [JSON.Member] {
        guard !places.isEmpty else { return members }
        let placed = members.enumerated().map { (place: places[$1.key] ?? .max, offset: $0, member: $1) }
        return placed.sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.member)
    }

    public static func == (first: KeyOrder, second: KeyOrder) -> Bool { true }
}
