public import FoundationEssentials

extension LocalTrigger {
    /// When the trigger fires next if the app schedules it at `date` on a device in the time zone `zone`.
    public func next(after date: Date, in zone: TimeZone) -> LocalFireTime {
        switch self {
        case .interval(let seconds, _): return .at(date + seconds)
        case .calendar(let components, let timeZone, _):
            // This system may not know a new zone, and then only the order is less exact.
            let own = timeZone.flatMap { ZoneName.zone(named: $0) }
            return components.next(after: date, in: own ?? zone).map { .at($0) } ?? .never
        case .region, .appUpdate: return .anytime
        }
    }
}

/// When a local notification may appear.
public enum LocalFireTime: Sendable, Equatable {
    /// Unknown: it waits for an event, which may happen immediately.
    case anytime
    case at(Date)
    /// Its time has passed.
    case never
}
