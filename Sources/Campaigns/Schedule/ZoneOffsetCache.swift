internal import FoundationEssentials
import Notifications

/// A cache of the UTC offsets of recipients' time zones. Each zone is looked up once, and so is each of its changes
/// between summer and winter time.
struct ZoneOffsetCache {
    private struct OffsetPeriod {
        let range: Range<Int>
        let offset: Int
    }

    private struct Zone {
        let zone: TimeZone
        var periods: [OffsetPeriod] = []
    }

    private static let secondsPerYear = 366 * CivilTime.secondsPerDay
    /// A zone has two periods a year; dates of birth need many years.
    private static let maximumPeriods = 400

    private var zones: [Zone]
    private var indexes = ByteKeyedCache<Int>()

    /// `defaultZone` is for recipients whose zone is unknown; if it is unknown itself, UTC is used.
    init(defaultZone: String) {
        zones = [Zone(zone: ZoneName.zone(named: defaultZone) ?? .gmt)]
    }

    static func isKnown(_ zone: String) -> Bool { ZoneName.canonical(zone) != nil }

    /// Seconds to add to UTC at `moment`, in seconds since 1970.
    mutating func offset(of zone: UnsafeRawBufferPointer?, at moment: Int) -> Int {
        let index = zone.map { self.index(of: $0) } ?? 0
        if let known = zones[index].periods.first(where: { $0.range.contains(moment) }) { return known.offset }
        let period = Self.period(of: zones[index].zone, around: moment)
        if zones[index].periods.count == Self.maximumPeriods { zones[index].periods.removeAll() }
        zones[index].periods.append(period)
        return period.offset
    }

    private mutating func index(of name: UnsafeRawBufferPointer) -> Int {
        if let index = indexes.value(of: name) { return index }
        var index = 0
        if let zone = ZoneName.zone(named: String(decoding: name, as: UTF8.self)) {
            if zones.count > ByteKeyedCache<Int>.maximumCount {
                zones.removeSubrange(1...)
                indexes = ByteKeyedCache()
            }
            index = zones.count
            zones.append(Zone(zone: zone))
        }
        indexes.add(name, index)
        return index
    }

    /// From the last change within a year before `moment`, or that year's beginning, to the next change after it.
    private static func period(of zone: TimeZone, around moment: Int) -> OffsetPeriod {
        let date = Date(timeIntervalSince1970: Double(moment))
        let offset = zone.secondsFromGMT(for: date)
        var start = moment - secondsPerYear
        while let change = zone.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(start))) {
            let seconds = Int(change.timeIntervalSince1970.rounded(.up))
            guard seconds > start else { break }
            guard seconds <= moment else { return OffsetPeriod(range: start..<seconds, offset: offset) }
            start = seconds
        }
        // No later change is known.
        return OffsetPeriod(range: start..<moment + secondsPerYear, offset: offset)
    }
}
