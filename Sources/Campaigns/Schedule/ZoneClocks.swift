internal import FoundationEssentials

/// How far the clocks of the recipients' time zones are from UTC. Each zone is looked up once, and each of its changes
/// between summer and winter time.
///
/// FoundationEssentials knows the zones of the tz database by name only in a process that links Foundation, as belfry
/// does.
struct ZoneClocks {
    private struct Stretch {
        let range: Range<Int>
        let offset: Int
    }

    private struct Zone {
        let zone: TimeZone
        var stretches: [Stretch] = []
    }

    private static let secondsPerYear = 366 * CivilTime.secondsPerDay
    /// A zone has two stretches a year; dates of birth need many years.
    private static let maximumStretches = 400

    private var zones: [Zone]
    private var places = ByteTable<Int>()

    /// The zone of those whose own is unknown; itself UTC when nobody knows it.
    init(defaultZone: String) {
        zones = [Zone(zone: TimeZone(identifier: defaultZone) ?? .gmt)]
    }

    static func isKnown(_ zone: String) -> Bool { TimeZone(identifier: zone) != nil }

    /// Seconds to add to UTC at `moment`, in seconds since 1970.
    mutating func offset(of zone: UnsafeRawBufferPointer?, at moment: Int) -> Int {
        let place = zone.map { self.place(of: $0) } ?? 0
        if let known = zones[place].stretches.first(where: { $0.range.contains(moment) }) { return known.offset }
        let stretch = Self.stretch(of: zones[place].zone, around: moment)
        if zones[place].stretches.count == Self.maximumStretches { zones[place].stretches.removeAll() }
        zones[place].stretches.append(stretch)
        return stretch.offset
    }

    private mutating func place(of name: UnsafeRawBufferPointer) -> Int {
        if let place = places.value(of: name) { return place }
        var place = 0
        if let zone = TimeZone(identifier: String(decoding: name, as: UTF8.self)) {
            if zones.count > ByteTable<Int>.maximumCount {
                zones.removeSubrange(1...)
                places = ByteTable()
            }
            place = zones.count
            zones.append(Zone(zone: zone))
        }
        places.add(name, place)
        return place
    }

    /// From the last change within a year before `moment`, or that year's beginning, to the next change after it.
    private static func stretch(of zone: TimeZone, around moment: Int) -> Stretch {
        let date = Date(timeIntervalSince1970: Double(moment))
        let offset = zone.secondsFromGMT(for: date)
        var start = moment - secondsPerYear
        while let change = zone.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(start))) {
            let seconds = Int(change.timeIntervalSince1970.rounded(.up))
            guard seconds > start else { break }
            guard seconds <= moment else { return Stretch(range: start..<seconds, offset: offset) }
            start = seconds
        }
        // No change is known after it.
        return Stretch(range: start..<moment + secondsPerYear, offset: offset)
    }
}
