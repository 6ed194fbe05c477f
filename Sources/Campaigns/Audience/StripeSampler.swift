/// Which part of an app's range of ids is counted next, so that any beginning of the walk is spread over the whole.
///
/// The range is cut into stripes of equal width, a power of two of them, and they are visited in the order of their
/// reversed bits, from a seeded start. The first visits find out how wide a stripe may be; what they counted is
/// dropped when the width changes.
public struct StripeSampler {
    /// Of one statement.
    public static let target = Duration.milliseconds(20)
    /// Ids that are looked at to begin with.
    public static let firstWidth: Int64 = 1_024
    public static let maximumStripes: Int64 = 65_536
    /// The most by which the width changes at once.
    public static let largestStep: Int64 = 16

    private let first: Int64
    private let ids: Int64
    private let seed: UInt64
    public private(set) var stripes: Int64
    private var visited: Int64 = 0
    private var isSettled: Bool
    public private(set) var tallies: [StripeTally] = []

    /// `first` and `last` are ids of devices, so from 1. One that is settled keeps its first width.
    public init(first: Int64, last: Int64, seed: UInt64, isSettled: Bool = false) {
        self.isSettled = isSettled
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
        let place = (Self.reversed(visited, below: stripes) + Int64(seed % UInt64(stripes))) % stripes
        return (first - 1 + start(of: place), first - 1 + start(of: place + 1))
    }

    /// What the next stripe held, and how long it took to find out.
    public mutating func note(_ tally: StripeTally, took: Duration) {
        visited += 1
        if !isSettled, took < Self.target / 2, stripes > 1 {
            let room = Int64(Self.target / max(.nanoseconds(1), took))
            return recut(stripes / Self.powerOfTwo(atMost: min(room, Self.largestStep, stripes)))
        }
        isSettled = true
        tallies.append(tally)
    }

    /// The next stripe could not be counted in time. One that is only slower than others is left out.
    public mutating func noteDeadline() {
        visited += 1
        isSettled = true
        if tallies.isEmpty { recut(min(Self.maximumStripes, stripes * Self.largestStep)) }
    }

    private mutating func recut(_ stripes: Int64) {
        self.stripes = stripes
        visited = 0
        tallies = []
    }

    /// Ids before a stripe, without overflow.
    private func start(of place: Int64) -> Int64 {
        stripes.dividingFullWidth(ids.multipliedFullWidth(by: place)).quotient
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
