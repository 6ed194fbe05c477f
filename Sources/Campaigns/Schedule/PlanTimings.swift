/// The timings of all zones, as arrays for SQL: each zone refers to one of the few distinct timings. In a run at each
/// recipient's best time, each zone has one for each hour of the window.
public struct PlanTimings: Sendable {
    public let zones: [String]
    /// The hours of the window; 1 without one.
    public let placeCount: Int
    /// The index of the timing for each zone and place: the places of recipients whose zone is not in `zones`, then those
    /// of the first zone, and so on.
    public private(set) var indexes: [Int32]
    /// By index of the timing; index 0 is for recipients whose zone is not in `zones`. Seconds since 1970.
    public private(set) var dues: [Double] = []
    /// Infinity for never.
    public private(set) var latest: [Double] = []
    public private(set) var codes: [Int16] = []
    /// The codes for those who are left out because their time has passed, whatever `codes` says.
    public var lateCodes: [Int16] { timings.map { Int16($0.lateCode) } }
    public private(set) var timings: [ZoneTiming] = []
    /// One zone and place for each timing. The zones of a timing may differ on other days; a forecast ignores that.
    private var origins: [(zone: String, place: Int)] = []
    private let rules: TimingRules

    public init(_ rules: TimingRules, zones names: [String], defaultZone: String) {
        self.rules = rules
        zones = names
        placeCount = rules.occurrence.bestHours?.count ?? 1
        indexes = Array(repeating: 0, count: (names.count + 1) * placeCount)
        var known: [ZoneTiming: Int32] = [:]
        for place in 0..<placeCount {
            let table = TimingTable(rules.at(place), zones: names, defaultZone: defaultZone)
            let rows = [TimingTable.Row(zone: defaultZone, timing: table.standard)] + table.rows
            for (number, row) in rows.enumerated() {
                let index = known[row.timing] ?? add(row.timing, (row.zone, place))
                known[row.timing] = index
                indexes[number * placeCount + place] = index
            }
        }
    }

    private mutating func add(_ timing: ZoneTiming, _ origin: (zone: String, place: Int)) -> Int32 {
        timings.append(timing)
        origins.append(origin)
        dues.append(Double(timing.dueAt))
        latest.append(timing.notAfter.map { Double($0) } ?? .infinity)
        codes.append(Int16(timing.code))
        return Int32(timings.count - 1)
    }

    /// The numbers of `zones`, from 1. Without a zone, a recipient has the number 0.
    public var zoneNumbers: [Int32] { Array(1..<Int32(zones.count + 1)) }

    /// The timing of a zone, or of recipients without one, at the first place.
    func timing(of zone: Int?) -> ZoneTiming { timings[Int(indexes[(zone.map { $0 + 1 } ?? 0) * placeCount])] }
}

extension PlanTimings {
    /// The timing of the recipients at `index` who were not served in time, re-evaluated at `moment`.
    public func reevaluated(_ index: Int, at moment: Int) -> ZoneTiming {
        let (zone, place) = origins[index]
        return rules.at(place).reevaluated(now: moment).timing(in: zone) ?? ZoneTiming(dueAt: moment, verdict: .send)
    }
}

extension TimingRules {
    fileprivate func at(_ place: Int) -> TimingRules {
        var rules = self
        rules.place = place
        return rules
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
