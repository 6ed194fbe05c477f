import EventLoop

/// Decides which requests share a transaction and when it begins: the decisions of `GroupCommit`, without a clock or a
/// database.
///
/// A request that arrives while no transaction is in progress begins one immediately; requests that arrive meanwhile
/// form the next group. A group that failed because of one request is split in halves until that request is alone, and
/// then the request itself if it is a list.
struct GroupQueue<Request> {
    struct Entry {
        let request: Request
        let weight: Int
        let arrived: MonotonicTime
    }

    let limits: GroupLimits
    private var waiting: [Entry] = []
    private(set) var queuedWeight = 0
    /// Halves of failed groups; they go before all others.
    private var splitGroups: [[Entry]] = []
    private(set) var inFlight = 0

    init(limits: GroupLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { waiting.isEmpty && splitGroups.isEmpty && inFlight == 0 }

    /// False when too many requests wait already. An empty queue accepts one request of any weight.
    mutating func add(_ request: Request, weight: Int, at now: MonotonicTime) -> Bool {
        guard waiting.isEmpty || queuedWeight + weight <= limits.maximumQueuedWeight else { return false }
        waiting.append(Entry(request: request, weight: weight, arrived: now))
        queuedWeight += weight
        return true
    }

    /// The group that may begin now. It must be ended by `stored`, `refused` or `unavailable`.
    mutating func next() -> [Entry]? {
        guard inFlight < limits.maximumConcurrentGroups else { return nil }
        guard let half = splitGroups.popLast() ?? takeWaiting() else { return nil }
        inFlight += 1
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
        queuedWeight -= weight
        return group
    }

    mutating func stored() {
        inFlight -= 1
    }

    /// Returns the request when it was alone in its group and has no `halves`. Otherwise the two halves of the group, or
    /// of the request, come next.
    mutating func refused(_ group: [Entry], halves: (Request) -> (Request, Request)? = { _ in nil }) -> Request? {
        inFlight -= 1
        if group.count > 1 {
            let middle = group.count / 2
            splitGroups.append(Array(group[middle...]))
            splitGroups.append(Array(group[..<middle]))
        } else if let whole = group.first, let (first, second) = halves(whole.request) {
            // Weights count for waiting requests only.
            splitGroups.append([Entry(request: second, weight: 0, arrived: whole.arrived)])
            splitGroups.append([Entry(request: first, weight: 0, arrived: whole.arrived)])
        } else {
            return group.first?.request
        }
        return nil
    }

    /// The database is unavailable. Returns all waiting requests, the group first.
    mutating func unavailable(_ group: [Entry]) -> [Request] {
        inFlight -= 1
        return group.map(\.request) + removeAll()
    }

    mutating func removeAll() -> [Request] {
        defer {
            waiting.removeAll()
            splitGroups.removeAll()
            queuedWeight = 0
        }
        return (splitGroups.reversed().joined() + waiting).map(\.request)
    }
}

/// Limits of a group commit. The unit of weights is up to the caller, for example rows.
public struct GroupLimits: Sendable {
    /// The weight of one transaction. A heavier request has a transaction of its own.
    public var groupWeight: Int
    /// The weight of waiting requests. Above this, requests are refused.
    public var maximumQueuedWeight: Int
    /// The number of concurrent transactions.
    public var maximumConcurrentGroups: Int
    /// The minimum time between the beginnings of two groups of one worker: requests that arrive meanwhile share a
    /// group. A request that arrives after a pause does not wait.
    public var spacing: Duration

    public init(groupWeight: Int, maximumQueuedWeight: Int, maximumConcurrentGroups: Int, spacing: Duration = .zero) {
        precondition(groupWeight > 0 && maximumQueuedWeight > 0 && maximumConcurrentGroups > 0, "limits are positive")
        self.groupWeight = groupWeight
        self.maximumQueuedWeight = maximumQueuedWeight
        self.maximumConcurrentGroups = maximumConcurrentGroups
        self.spacing = spacing
    }
}
