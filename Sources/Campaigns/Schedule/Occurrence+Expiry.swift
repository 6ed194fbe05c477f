extension Occurrence {
    private static let day = 86_400
    /// For a push that Apple should not store (0 seconds): the run itself goes on for this long.
    private static let longest = 30 * day

    /// When a run that begins now expires, in seconds since 1970: counted from the last zone in the world that
    /// is due, and a day later with quiet hours that delay pushes.
    public func expiry(after seconds: Int, from now: Int, quiet: QuietHours?) -> Int {
        let nextDay = if case .local(_, .nextDay, _) = self { Self.day } else { 0 }
        let held = quiet?.policy == .hold ? Self.day : 0
        return max(now, last) + nextDay + held + (seconds == 0 ? Self.longest : seconds)
    }
}
