/// The order of what an app states about its installation: by `sent_at`, the clock of the device. A request that is
/// repeated after a later one was stored is out of date.
///
/// Clocks of different devices are never compared. The clock of one device may be wrong, as long as it advances. If it
/// was ahead and is set right, the stored time lies in the future, and only the time of receipt can tell a new request
/// from a repeated one.
///
/// Docs/decisions/registration.md explains whose times are compared.
public enum StatementOrder {
    /// A clock that differs less from ours is right.
    static let tolerance: Int64 = 60_000_000
    /// A stored time that lies further in the future holds up nothing: in microseconds, a day. So a clock that was
    /// ahead and is wrong again afterwards is ignored for a day at most.
    static let farAhead: Int64 = 24 * 60 * 60 * 1_000_000

    /// Whether a request that was sent at `sentAt` and received at `now` is older than the newest one, of which
    /// `newest` is the time. Of two requests with the same time, the one that is received later counts.
    public static func isOutdated(_ sentAt: Instant, after newest: Instant?, receivedAt now: Instant) -> Bool {
        guard let newest, sentAt < newest else { return false }
        let lead = newest.microseconds.subtractingSaturated(now.microseconds)
        let age = now.microseconds.subtractingSaturated(sentAt.microseconds)
        if lead > farAhead { return age < -tolerance }
        return lead <= tolerance || abs(age) > tolerance
    }
}

extension Int64 {
    fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < other ? .min + 1 : .max) : difference
    }
}
