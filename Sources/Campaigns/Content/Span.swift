/// A length of time, for people.
struct Span {
    let seconds: Int

    init(_ seconds: Int) {
        self.seconds = seconds
    }

    private static let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]

    /// "90 minutes": cut to the largest unit of which there are two, or of which it is a whole one.
    var words: String {
        for (length, name) in Self.units where seconds >= 2 * length || seconds == length {
            let count = seconds / length
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "0 seconds"
    }
}
