/// The size of windows under a rate limit, as a part of a second's pushes. Small windows make an even flow. But the
/// next window of a batch waits for the answers to this one, so slow answers need larger windows.
struct RateLimitWindow: Equatable {
    /// Seconds. The upper bound is the largest reservation.
    static let range = 0.1...1.0

    private(set) var seconds = RateLimitWindow.range.lowerBound

    /// The number of pushes in a window, at least one.
    func pushes(at pushesPerSecond: Int, atMost most: Int) -> Int {
        min(most, max(1, Int(Double(pushesPerSecond) * seconds)))
    }

    /// Adapts the size to a reservation that starts after `delay`. Without a delay the sender is slower than its limit.
    mutating func reserved(waiting delay: Duration) {
        let wanted = delay > .zero ? seconds * 0.95 : seconds * 1.5
        seconds = min(max(wanted, Self.range.lowerBound), Self.range.upperBound)
    }
}
