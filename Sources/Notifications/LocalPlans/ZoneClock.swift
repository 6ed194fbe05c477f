public import FoundationEssentials

/// What a clock on the wall of a time zone shows. Times are whole seconds: moments since 1970 in UTC, local ones as if
/// the clock were set to UTC.
///
/// A zone is asked for nothing but its offset. FoundationEssentials knows the zones of the tz database by name only in a
/// process that links Foundation, as belfry does.
public struct ZoneClock: Sendable {
    private let zone: TimeZone
    /// In seconds: clocks have not been moved twice within so much.
    private static let reach = 86_400

    public init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// Nil for a name that is not known here.
    public init?(named name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.init(zone)
    }

    /// A clock that is never moved, so many seconds east of UTC, at most 18 hours.
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

    /// The offset on a day around which no clock is moved: there, every time is shown once.
    func steadyOffset(around day: CivilDay) -> Int? {
        let start = day.number * 86_400
        let offset = offset(start - Self.reach)
        return offset == self.offset(start + 86_400 + Self.reach) ? offset : nil
    }

    /// None in the gap when the clock is put forward, two when it is put back; the earlier first.
    func moments(showing local: Int) -> [Int] {
        let offsets = [offset(local - Self.reach), offset(local + Self.reach)]
        let moments = offsets.map { local - $0 }.filter { $0 + offset($0) == local }
        return moments.count == 2 && moments[0] == moments[1] ? [moments[0]] : moments.sorted()
    }

    /// The one moment that a local time means (RFC 5545 §3.3.5): the first of two, and in a gap the time by the clock
    /// before the gap. So 02:30 in the night that has none is half an hour after the gap begins.
    public func moment(showing local: Int) -> Int {
        moments(showing: local).first ?? local - offset(local - Self.reach)
    }

    /// The first moment after the gap that swallows `local`.
    func endOfGap(over local: Int) -> Int {
        // By the clock before the gap `local` lies behind its end, by the clock after it before its start.
        change(after: local - offset(local + Self.reach), upTo: local - offset(local - Self.reach))
    }

    /// When the clock was moved, for two moments with different offsets that are less than a day apart.
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
