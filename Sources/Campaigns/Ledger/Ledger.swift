/// What became of a run's recipients, or of a batch's: how many of each kind.
public struct Ledger: Hashable, Sendable {
    public private(set) var counts = [Int](repeating: 0, count: OutcomeKind.allCases.count)
    /// How many were unknown once and sent again. They are counted under their last outcome.
    public var resent = 0

    public init() {}

    public subscript(kind: OutcomeKind) -> Int {
        get { counts[kind.place] }
        set { counts[kind.place] = newValue }
    }

    /// Everyone the run is about. Who was moved is counted in the batch that he was moved to.
    public var targeted: Int { counts.reduce(0, +) - self[.moved] }

    /// Nobody is pending any more.
    public var isFinal: Bool { self[.pending] == 0 }

    public static func + (left: Ledger, right: Ledger) -> Ledger {
        var sum = Ledger()
        for kind in OutcomeKind.allCases { sum[kind] = left[kind] + right[kind] }
        sum.resent = left.resent + right.resent
        return sum
    }
}

extension OutcomeKind {
    /// The kind's place in an array of counts.
    public var place: Int {
        switch self {
        case .pending: 0
        case .accepted: 1
        case .rejected: 2
        case .suppressed: 3
        case .expired: 4
        case .cancelled: 5
        case .unknown: 6
        case .moved: 7
        }
    }
}
