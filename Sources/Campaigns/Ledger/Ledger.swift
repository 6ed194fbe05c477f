/// The outcomes of the recipients of a run or a batch, counted by kind.
public struct Ledger: Hashable, Sendable {
    public private(set) var counts = [Int](repeating: 0, count: OutcomeKind.allCases.count)
    /// Recipients who were unknown once and were sent again. They are counted under their last outcome.
    public var resent = 0

    public init() {}

    public subscript(kind: OutcomeKind) -> Int {
        get { counts[kind.index] }
        set { counts[kind.index] = newValue }
    }

    /// All recipients of the run. A deferred recipient is counted in the later batch.
    public var targeted: Int { counts.reduce(0, +) - self[.deferred] }

    /// True if no recipient is pending.
    public var isFinal: Bool { self[.pending] == 0 }

    public static func + (left: Ledger, right: Ledger) -> Ledger {
        var sum = Ledger()
        for kind in OutcomeKind.allCases { sum[kind] = left[kind] + right[kind] }
        sum.resent = left.resent + right.resent
        return sum
    }
}

extension OutcomeKind {
    /// The kind's index in an array of counts.
    public var index: Int {
        switch self {
        case .pending: 0
        case .accepted: 1
        case .rejected: 2
        case .suppressed: 3
        case .expired: 4
        case .cancelled: 5
        case .unknown: 6
        case .deferred: 7
        }
    }
}
