import Campaigns

/// The timings of all zones, as arrays for SQL: each zone names one of the few different timings.
struct PlanTimings: Sendable {
    private(set) var zones: [String] = []
    private(set) var places: [Int32] = []
    /// By place; place 0 is for those whose zone is not among them. Seconds since 1970.
    private(set) var dues: [Double] = []
    /// Infinity for never.
    private(set) var latest: [Double] = []
    private(set) var codes: [Int16] = []
    private(set) var timings: [ZoneTiming] = []

    init(_ table: TimingTable) {
        var known: [ZoneTiming: Int32] = [:]
        func place(of timing: ZoneTiming) -> Int32 {
            if let place = known[timing] { return place }
            let place = Int32(timings.count)
            known[timing] = place
            timings.append(timing)
            dues.append(Double(timing.dueAt))
            latest.append(timing.notAfter.map { Double($0) } ?? .infinity)
            codes.append(Int16(timing.code))
            return place
        }
        _ = place(of: table.standard)
        for row in table.rows {
            zones.append(row.zone)
            places.append(place(of: row.timing))
        }
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
