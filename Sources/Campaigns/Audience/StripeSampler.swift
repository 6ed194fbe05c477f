/// Chooses which part of an app's id range is counted next, so that an unfinished scan is spread over the whole range.
///
/// The range is cut into stripes of equal width, a power of two of them, and they are visited in the order of their
/// reversed bits, from a seeded start. The first visits determine the width of a stripe; their
/// counts are dropped when the width changes.
public struct StripeSampler {
    /// The target duration of one statement.
    public static let target = Duration.milliseconds(20)
    /// Ids in the first stripe.
    public static let firstWidth: Int64 = 1_024
    public static let maximumStripes: Int64 = 65_536
    /// The largest factor by which the width changes in one step.
    public static let largestStep: Int64 = 16

    private let first: Int64
    private let ids: Int64
    private let seed: UInt64
    public private(set) var stripes: Int64
    private var visited: Int64 = 0
    private var hasFixedWidth: Bool
    public private(set) var tallies: [StripeTally] = []

    /// `first` and `last` are ids of devices, so from 1. With `hasFixedWidth`, the first width is kept.
    public init(first: Int64, last: Int64, seed: UInt64, hasFixedWidth: Bool = false) {
        self.hasFixedWidth = hasFixedWidth
        self.first = first
        ids = max(1, last - first + 1)
        self.seed = seed
        stripes = Self.powerOfTwo(atLeast: min(Self.maximumStripes, (ids - 1) / Self.firstWidth + 1))
    }

    public var isComplete: Bool { tallies.count == stripes }
    public var totalIDs: Int64 { ids }

    /// Ids beyond `after` and up to `through`; nil when all were visited.
    public var next: (after: Int64, through: Int64)? {
        guard visited < stripes else { return nil }
        let position = (Self.reversed(visited, below: stripes) + Int64(seed % UInt64(stripes))) % stripes
        return (first - 1 + start(of: position), first - 1 + start(of: position + 1))
    }

    /// Records the count of the next stripe and the time it took.
    public mutating func record(_ tally: StripeTally, took: Duration) {
        visited += 1
        if !hasFixedWidth, took < Self.target / 2, stripes > 1 {
            let room = Int64(Self.target / max(.nanoseconds(1), took))
            return resplit(stripes / Self.powerOfTwo(atMost: min(room, Self.largestStep, stripes)))
        }
        hasFixedWidth = true
        tallies.append(tally)
    }

    /// Records that the next stripe was not counted in time. It is skipped if other stripes were counted before.
    public mutating func recordTimeout() {
        visited += 1
        hasFixedWidth = true
        if tallies.isEmpty { resplit(min(Self.maximumStripes, stripes * Self.largestStep)) }
    }

    private mutating func resplit(_ stripes: Int64) {
        self.stripes = stripes
        visited = 0
        tallies = []
    }

    /// Ids before a stripe, without overflow.
    private func start(of position: Int64) -> Int64 {
        stripes.dividingFullWidth(ids.multipliedFullWidth(by: position)).quotient
    }

    private static func reversed(_ index: Int64, below count: Int64) -> Int64 {
        guard count > 1 else { return 0 }
        return Int64(UInt64(index).bitReversed >> UInt64(64 - count.trailingZeroBitCount))
    }

    private static func powerOfTwo(atLeast number: Int64) -> Int64 {
        let below = powerOfTwo(atMost: number)
        return below == number ? below : below * 2
    }

    private static func powerOfTwo(atMost number: Int64) -> Int64 {
        1 << Int64(63 - max(1, number).leadingZeroBitCount)
    }
}

extension UInt64 {
    fileprivate var bitReversed: UInt64 {
        var (rest, reversed) = (self, UInt64(0))
        for _ in 0..<64 {
            reversed = reversed << 1 | rest & 1
            rest >>= 1
        }
        return reversed
    }
}
