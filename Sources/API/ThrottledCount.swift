import EventLoop

/// Recomputes an expensive count at most once per 20 times its own duration, so counting takes at most a twentieth of
/// one connection's time. A value: the caller reports when a count begins and ends.
struct ThrottledCount<Value> {
    /// The pause after a count, in multiples of the count's own duration.
    static var pauseFactor: Int { 20 }

    private(set) var value: Value?
    private var began = MonotonicTime(nanoseconds: 0)
    private var isBeingCounted = false
    private var notBefore = MonotonicTime(nanoseconds: 0)

    /// Whether to count now. If so, `end` must be called when the count has finished.
    mutating func begin(at now: MonotonicTime) -> Bool {
        guard !isBeingCounted, now >= notBefore else { return false }
        isBeingCounted = true
        began = now
        return true
    }

    /// Nil keeps the previous value.
    mutating func end(_ counted: Value?, at now: MonotonicTime) {
        isBeingCounted = false
        value = counted ?? value
        notBefore = now + (now - began) * Self.pauseFactor
    }
}
