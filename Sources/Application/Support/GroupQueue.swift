/// Which requests share a transaction, and when it begins: the decisions of `GroupCommit`, without a clock or a
/// database.
///
/// A request that comes while nothing is under way goes at once; those that come meanwhile form the next group. A
/// group that failed for one member's sake is halved until the guilty one stands alone.
struct GroupQueue<Request> {
    struct Entry {
        let request: Request
        let weight: Int
    }

    let limits: GroupLimits
    private var waiting: [Entry] = []
    private(set) var waitingWeight = 0
    /// Halves of groups that failed; they go before all others.
    private var halves: [[Entry]] = []
    private(set) var underWay = 0

    init(limits: GroupLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { waiting.isEmpty && halves.isEmpty && underWay == 0 }

    /// False when too much waits already. One request is taken by an empty queue, whatever its weight.
    mutating func add(_ request: Request, weight: Int) -> Bool {
        guard waiting.isEmpty || waitingWeight + weight <= limits.waitingWeight else { return false }
        waiting.append(Entry(request: request, weight: weight))
        waitingWeight += weight
        return true
    }

    /// The group that may begin now. It must be ended by one of the three calls below.
    mutating func next() -> [Entry]? {
        guard underWay < limits.groupsUnderWay else { return nil }
        guard let half = halves.popLast() ?? takeWaiting() else { return nil }
        underWay += 1
        return half
    }

    private mutating func takeWaiting() -> [Entry]? {
        guard let first = waiting.first else { return nil }
        var weight = first.weight
        var count = 1
        while count < waiting.count, weight + waiting[count].weight <= limits.groupWeight {
            weight += waiting[count].weight
            count += 1
        }
        let group = Array(waiting[..<count])
        waiting.removeFirst(count)
        waitingWeight -= weight
        return group
    }

    mutating func stored() {
        underWay -= 1
    }

    /// Returns the guilty one when it stands alone. Otherwise the halves come next.
    mutating func refused(_ group: [Entry]) -> Request? {
        underWay -= 1
        guard group.count > 1 else { return group.first?.request }
        let middle = group.count / 2
        halves.append(Array(group[middle...]))
        halves.append(Array(group[..<middle]))
        return nil
    }

    /// The database is away. Returns everyone who waits, the group first.
    mutating func unavailable(_ group: [Entry]) -> [Request] {
        underWay -= 1
        return group.map(\.request) + removeAll()
    }

    mutating func removeAll() -> [Request] {
        defer {
            waiting.removeAll()
            halves.removeAll()
            waitingWeight = 0
        }
        return (halves.reversed().joined() + waiting).map(\.request)
    }
}

/// How much of a group commit there may be. Weights are in whatever the requests are made of: rows.
public struct GroupLimits: Sendable {
    /// Of one transaction. A request that weighs more goes alone.
    public var groupWeight: Int
    /// Of those who wait; beyond, requests are refused.
    public var waitingWeight: Int
    /// Transactions at a time.
    public var groupsUnderWay: Int
    /// From one group's beginning to the next one's, for each of those: requests that come meanwhile share it. Who comes
    /// after a pause does not wait.
    public var spacing: Duration

    public init(groupWeight: Int, waitingWeight: Int, groupsUnderWay: Int, spacing: Duration = .zero) {
        precondition(groupWeight > 0 && waitingWeight > 0 && groupsUnderWay > 0, "limits are positive")
        self.groupWeight = groupWeight
        self.waitingWeight = waitingWeight
        self.groupsUnderWay = groupsUnderWay
        self.spacing = spacing
    }
}
