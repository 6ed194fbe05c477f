public import FoundationEssentials

/// Converts between moments and local times of a time zone. Both are whole seconds: moments since 1970 in UTC, local
/// times as if the clock were set to UTC.
///
/// Only the offset of a zone is used.
public struct ZoneClock: Sendable {
    private let zone: TimeZone
    /// In seconds: no zone has changed its offset twice within this time.
    private static let reach = 86_400

    public init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// Nil for an unknown name.
    public init?(named name: String) {
        guard let zone = ZoneName.zone(named: name) else { return nil }
        self.init(zone)
    }

    /// A clock with a constant offset, in seconds east of UTC, at most 18 hours.
    public init(fixed seconds: Int) {
        self.init(TimeZone(secondsFromGMT: seconds) ?? .gmt)
    }

    /// Seconds to add to UTC at `moment`.
    public func offset(_ moment: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment)))
    }

    public func local(_ moment: Int) -> Int {
        moment + offset(moment)
    }

    /// The offset of a day without an offset change around it, on which every local time exists once; else nil.
    func steadyOffset(around day: CivilDay) -> Int? {
        let start = day.number * 86_400
        let offset = offset(start - Self.reach)
        return offset == self.offset(start + 86_400 + Self.reach) ? offset : nil
    }

    /// The moments of a local time, in order: none in the gap when the clock is set forward, two when it is set back.
    func moments(showing local: Int) -> [Int] {
        let offsets = [offset(local - Self.reach), offset(local + Self.reach)]
        let moments = offsets.map { local - $0 }.filter { $0 + offset($0) == local }
        return moments.count == 2 && moments[0] == moments[1] ? [moments[0]] : moments.sorted()
    }

    /// The moment of a local time by RFC 5545 §3.3.5: the first of two, and in a gap the time by the offset before the
    /// gap. So 02:30 in a night without it is half an hour after the gap begins.
    public func moment(showing local: Int) -> Int {
        moments(showing: local).first ?? local - offset(local - Self.reach)
    }

    /// The first moment after the gap that contains `local`.
    func endOfGap(over local: Int) -> Int {
        // By the offset before the gap, `local` is after its end; by the offset after the gap, before its start.
        change(after: local - offset(local + Self.reach), upTo: local - offset(local - Self.reach))
    }

    /// The moment of the offset change between two moments with different offsets that are less than a day apart.
    public func change(after start: Int, upTo end: Int) -> Int {
        var (before, after) = (start, end)
        let newOffset = offset(end)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if offset(middle) == newOffset { after = middle } else { before = middle }
        }
        return after
    }
}
