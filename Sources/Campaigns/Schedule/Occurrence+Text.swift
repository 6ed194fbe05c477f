extension Occurrence {
    /// For people and JSON: a time in UTC, or a local time without a zone.
    public var text: String {
        switch self {
        case .at(let moment): RFC3339.text(moment)
        case .local(let time, _, _): time.text
        }
    }
}
