/// A duration as text for people.
struct DurationText {
    let seconds: Int

    init(_ seconds: Int) {
        self.seconds = seconds
    }

    private static let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]

    /// "90 minutes": in the largest unit that gives at least 2, or exactly 1; the rest is truncated.
    var text: String {
        for (length, name) in Self.units where seconds >= 2 * length || seconds == length {
            let count = seconds / length
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "0 seconds"
    }
}
