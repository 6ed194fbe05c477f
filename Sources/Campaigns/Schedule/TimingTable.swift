import Notifications

/// The timing of every zone that recipients may have. The planner joins it with the devices.
public struct TimingTable: Sendable {
    public struct Row: Hashable, Sendable {
        public let zone: String
        public let timing: ZoneTiming
    }

    /// One row for each requested zone, in that order. An unknown zone has the timing of the default zone.
    public let rows: [Row]
    /// The default zone's, for recipients without one or with one that has no row.
    public let standard: ZoneTiming

    /// An unknown default zone is UTC.
    public init(_ rules: TimingRules, zones: some Sequence<String>, defaultZone: String) {
        let standard = rules.timing(on: ZoneClock(named: defaultZone) ?? ZoneClock(fixed: 0))
        self.standard = standard
        rows = zones.map { Row(zone: $0, timing: rules.timing(in: $0) ?? standard) }
    }

    /// When the first and the last of all zones are due; nil if all recipients are suppressed.
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
