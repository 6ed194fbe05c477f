import EventLoop

/// A count that costs, and so is made again only when the last one is old for what it cost. A value: whoever counts
/// says when it begins and ends.
struct PacedCount<Value> {
    /// So many times what it took passes until the next: a twentieth of one connection's time at most.
    static var pace: Int { 20 }

    private(set) var value: Value?
    private var began = MonotonicTime(nanoseconds: 0)
    private var isBeingCounted = false
    private var notBefore = MonotonicTime(nanoseconds: 0)

    /// Whether to count now; then `end` follows.
    mutating func begin(at now: MonotonicTime) -> Bool {
        guard !isBeingCounted, now >= notBefore else { return false }
        isBeingCounted = true
        began = now
        return true
    }

    /// Nil leaves what was known.
    mutating func end(_ counted: Value?, at now: MonotonicTime) {
        isBeingCounted = false
        value = counted ?? value
        notBefore = now + (now - began) * Self.pace
    }
}
