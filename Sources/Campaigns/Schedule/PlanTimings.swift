/// The timings of all zones, as arrays for SQL: each zone refers to one of the few distinct timings.
public struct PlanTimings: Sendable {
    public private(set) var zones: [String] = []
    /// The index of the timing for each zone.
    public private(set) var timingIndexes: [Int32] = []
    /// By index of the timing; index 0 is for recipients whose zone is not in `zones`. Seconds since 1970.
    public private(set) var dues: [Double] = []
    /// Infinity for never.
    public private(set) var latest: [Double] = []
    public private(set) var codes: [Int16] = []
    /// The codes for those who are left out because their time has passed, whatever `codes` says.
    public var lateCodes: [Int16] { timings.map { Int16($0.lateCode) } }
    public private(set) var timings: [ZoneTiming] = []
    /// One zone for each timing. The zones of a timing may differ on other days; a forecast ignores that.
    private var clocks: [String] = []
    private let rules: TimingRules

    public init(_ rules: TimingRules, zones names: [String], defaultZone: String) {
        self.rules = rules
        let table = TimingTable(rules, zones: names, defaultZone: defaultZone)
        var known: [ZoneTiming: Int32] = [:]
        func index(of timing: ZoneTiming, in zone: String) -> Int32 {
            if let index = known[timing] { return index }
            let index = Int32(timings.count)
            known[timing] = index
            timings.append(timing)
            clocks.append(zone)
            dues.append(Double(timing.dueAt))
            latest.append(timing.notAfter.map { Double($0) } ?? .infinity)
            codes.append(Int16(timing.code))
            return index
        }
        _ = index(of: table.standard, in: defaultZone)
        for row in table.rows {
            zones.append(row.zone)
            timingIndexes.append(index(of: row.timing, in: row.zone))
        }
    }
}

extension PlanTimings {
    /// The timing of the recipients at `index` who were not served in time, re-evaluated at `moment`.
    public func reevaluated(_ index: Int, at moment: Int) -> ZoneTiming {
        rules.reevaluated(now: moment).timing(in: clocks[index]) ?? ZoneTiming(dueAt: moment, verdict: .send)
    }
}

extension ZoneTiming {
    /// The planner's outcome for the zone.
    fileprivate var code: UInt8 {
        switch verdict {
        case .send, .held: OutcomeCode.pending
        case .suppressed(.quietHours): OutcomeCode.suppressedQuietHours
        case .suppressed(.localTimePast): OutcomeCode.suppressedLocalTimePast
        }
    }

    fileprivate var lateCode: UInt8 {
        switch verdict {
        case .held(.quietHours), .suppressed(.quietHours): OutcomeCode.suppressedQuietHours
        case .send, .held(.nextDay), .suppressed(.localTimePast): OutcomeCode.suppressedLocalTimePast
        }
    }
}
