/// How much of a second's pushes a window holds where there is a pace. A small window is soon over, and many make an
/// even flow; but the next of a batch waits for the answers to this one, so where these take long it has to hold more.
struct PaceSpan: Equatable {
    /// Seconds. The most is what may be booked at once.
    static let range = 0.1...1.0

    private(set) var seconds = PaceSpan.range.lowerBound

    /// Pushes of a window, at least one.
    func pushes(at pace: Int, atMost most: Int) -> Int { min(most, max(1, Int(Double(pace) * seconds))) }

    /// A window was booked, and may go after so long: without any wait the sender is behind its pace.
    mutating func booked(waiting delay: Duration) {
        let wanted = delay > .zero ? seconds * 0.95 : seconds * 1.5
        seconds = min(max(wanted, Self.range.lowerBound), Self.range.upperBound)
    }
}
