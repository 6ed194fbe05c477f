/// The references between segments of an app.
public struct SegmentGraph: Sendable {
    private let uses: [Segment.ID: Set<Segment.ID>]
    private let users: [Segment.ID: Set<Segment.ID>]

    public init(_ edges: [(user: Segment.ID, used: Segment.ID)]) {
        var uses: [Segment.ID: Set<Segment.ID>] = [:]
        var users: [Segment.ID: Set<Segment.ID>] = [:]
        for edge in edges {
            uses[edge.user, default: []].insert(edge.used)
            users[edge.used, default: []].insert(edge.user)
        }
        self.uses = uses
        self.users = users
    }

    /// Whether `segment` is `other` or uses it, directly or indirectly.
    public func leads(from segment: Segment.ID, to other: Segment.ID) -> Bool {
        var seen: Set<Segment.ID> = [segment]
        var open = [segment]
        while let next = open.popLast() {
            if next == other { return true }
            open += (uses[next] ?? []).filter { seen.insert($0).inserted }
        }
        return false
    }

    /// The nesting depth of this segment, including itself. The graph must have no cycle.
    public func depth(below segment: Segment.ID) -> Int { Self.depth(segment, uses) }

    /// The same in the other direction: the segments that use it, directly or indirectly.
    public func depth(above segment: Segment.ID) -> Int { Self.depth(segment, users) }

    private static func depth(_ segment: Segment.ID, _ edges: [Segment.ID: Set<Segment.ID>]) -> Int {
        var depth = 0
        var level: Set<Segment.ID> = [segment]
        while !level.isEmpty, depth <= edges.count + 1 {
            depth += 1
            level = level.reduce(into: []) { $0.formUnion(edges[$1] ?? []) }
        }
        return depth
    }
}
