import EventLoop

/// Message numbers that were drawn ahead. A value.
///
/// They are not used when they are old: message numbers grow with time, since partitions and their retention go by
/// them.
struct DrawnNumbers {
    static let lifetime = Duration.seconds(60)

    private var numbers: [Int64] = []
    /// When the oldest were drawn.
    private var drawnAt = MonotonicTime.now()

    /// Nil when more have to be drawn.
    mutating func take(_ count: Int, at now: MonotonicTime) -> [Int64]? {
        if now - drawnAt >= Self.lifetime { numbers.removeAll() }
        guard numbers.count >= count else { return nil }
        defer { numbers.removeFirst(count) }
        return Array(numbers.prefix(count))
    }

    mutating func add(_ drawn: [Int64], drawnAt time: MonotonicTime) {
        if numbers.isEmpty { drawnAt = time }
        numbers += drawn
    }
}
