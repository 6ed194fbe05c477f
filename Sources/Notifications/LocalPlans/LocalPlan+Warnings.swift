public import FoundationEssentials
public import JSON

extension LocalPlan {
    /// What iOS accepts and a person should know, at `date`; `zone` is that of most phones.
    public func warnings(at date: Date, in zone: TimeZone) -> [Problem] {
        let ofEach = notifications.enumerated().flatMap { index, notification in
            let ended = notification.trigger.next(after: date, in: zone) == .never ? [Self.ended] : []
            return (ended + notification.warnings).map { $0.inside("\(Key.notifications.rawValue)[\(index)]") }
        }
        return ofEach + tooManyRegions
    }

    private static let ended = Problem.warning(
        LocalNotification.Key.trigger.rawValue, "never-fires", "never comes: its time has passed")

    private var tooManyRegions: [Problem] {
        let count = notifications.count { $0.trigger.isRegion }
        guard count > Self.maximumRegions else { return [] }
        return [
            .warning(
                Key.notifications.rawValue, "too-many-regions",
                "wait for \(count) regions: a phone watches \(Self.maximumRegions) of one app")
        ]
    }
}

extension LocalTrigger {
    var isRegion: Bool {
        switch self {
        case .region: true
        case .interval, .calendar, .appUpdate: false
        }
    }
}
