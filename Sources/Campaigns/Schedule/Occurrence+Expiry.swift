extension Occurrence {
    private static let day = 86_400
    /// Of what is worth delivering now or never: that is Apple's to keep, and no reason to end the run at once.
    private static let longest = 30 * day

    /// When a run that begins now is over: counted from the last who is due, by the world's last clock, and with quiet
    /// hours that hold a day later. The same rule makes a run, in SQL. Seconds since 1970.
    public func expiry(after seconds: Int, from now: Int, quiet: QuietHours?) -> Int {
        let nextDay = if case .local(_, .nextDay) = self { Self.day } else { 0 }
        let held = quiet?.policy == .hold ? Self.day : 0
        return max(now, last) + nextDay + held + (seconds == 0 ? Self.longest : seconds)
    }
}
