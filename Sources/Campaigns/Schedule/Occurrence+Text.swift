extension Occurrence {
    /// The end of the window in which each recipient has the best time, like `21:00`; nil: all have one time.
    public var bestTimeUntil: String? { bestHours?.last.map { HourText.text($0 + 1) } }

    /// For people and JSON: a time in UTC, or a local time without a zone.
    public var text: String {
        switch self {
        case .at(let moment): RFC3339.text(moment)
        case .local(let time, _, _): time.text
        }
    }
}
