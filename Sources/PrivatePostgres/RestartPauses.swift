/// The pauses before a server that ended by itself is started again: none the first time, then longer ones as long as
/// it keeps ending.
struct RestartPauses {
    /// After a server ran for longer than this, the next pause is zero again.
    static let healthyAfter = Duration.seconds(60)
    private static let longest = Duration.seconds(30)

    private var next = Duration.zero

    /// The server ended after it had been ready for `time`, or could not be started (`time` is zero).
    mutating func ended(after time: Duration) -> Duration {
        if time > Self.healthyAfter { next = .zero }
        let pause = next
        next = min(Self.longest, max(.milliseconds(500), next * 2))
        return pause
    }
}
