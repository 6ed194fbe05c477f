/// The timings of all zones, as arrays for SQL: each zone names one of the few different timings.
public struct PlanTimings: Sendable {
    public private(set) var zones: [String] = []
    public private(set) var places: [Int32] = []
    /// By place; place 0 is for those whose zone is not among them. Seconds since 1970.
    public private(set) var dues: [Double] = []
    /// Infinity for never.
    public private(set) var latest: [Double] = []
    public private(set) var codes: [Int16] = []
    public private(set) var timings: [ZoneTiming] = []
    /// By place, one of its zones: they may differ another day, and a forecast need not know that.
    private var clocks: [String] = []
    private let rules: TimingRules

    public init(_ rules: TimingRules, zones names: [String], defaultZone: String) {
        self.rules = rules
        let table = TimingTable(rules, zones: names, defaultZone: defaultZone)
        var known: [ZoneTiming: Int32] = [:]
        func place(of timing: ZoneTiming, in zone: String) -> Int32 {
            if let place = known[timing] { return place }
            let place = Int32(timings.count)
            known[timing] = place
            timings.append(timing)
            clocks.append(zone)
            dues.append(Double(timing.dueAt))
            latest.append(timing.notAfter.map { Double($0) } ?? .infinity)
            codes.append(Int16(timing.code))
            return place
        }
        _ = place(of: table.standard, in: defaultZone)
        for row in table.rows {
            zones.append(row.zone)
            places.append(place(of: row.timing, in: row.zone))
        }
    }
}

extension PlanTimings {
    /// What becomes of those of a place who come to a moment too late.
    public func again(_ place: Int, at moment: Int) -> ZoneTiming {
        rules.again(now: moment).timing(in: clocks[place]) ?? ZoneTiming(dueAt: moment, verdict: .send)
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
}
