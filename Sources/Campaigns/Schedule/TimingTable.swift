import Notifications

/// The timing of every zone that a recipient may have: what the planner joins devices with.
public struct TimingTable: Sendable {
    public struct Row: Hashable, Sendable {
        public let zone: String
        public let timing: ZoneTiming
    }

    /// One for each zone asked for, in that order. A zone that is not known here has the default's timing.
    public let rows: [Row]
    /// The default zone's, for recipients without one or with one that has no row.
    public let standard: ZoneTiming

    /// A default zone that is not known here is UTC.
    public init(_ rules: TimingRules, zones: some Sequence<String>, defaultZone: String) {
        let standard = rules.timing(on: ZoneClock(named: defaultZone) ?? ZoneClock(fixed: 0))
        self.standard = standard
        rows = zones.map { Row(zone: $0, timing: rules.timing(in: $0) ?? standard) }
    }

    /// When the first and the last of all zones are due; nil when nobody gets it.
    public var due: ClosedRange<Int>? {
        let moments = (rows.map(\.timing) + [standard]).filter(\.isSent).map(\.dueAt)
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return first...last
    }
}

extension ZoneTiming {
    public var isSent: Bool {
        switch verdict {
        case .send, .held: true
        case .suppressed: false
        }
    }
}
