public import FoundationEssentials

extension LocalTrigger {
    /// When the trigger fires next if the app schedules it at `date`, in a phone set to `zone`.
    public func next(after date: Date, in zone: TimeZone) -> LocalMoment {
        switch self {
        case .interval(let seconds, _): return .at(date + seconds)
        case .calendar(let components, let timeZone, _):
            // A name that is not known here is known to the phone; only its place in the order is less exact.
            let own = timeZone.flatMap { TimeZone(identifier: $0) }
            return components.next(after: date, in: own ?? zone).map { .at($0) } ?? .never
        case .region, .appUpdate: return .anytime
        }
    }
}

/// When a local notification may appear.
public enum LocalMoment: Sendable, Equatable {
    /// Nobody can say: it waits for something to happen, which may be at once.
    case anytime
    case at(Date)
    /// Its time has passed.
    case never
}
