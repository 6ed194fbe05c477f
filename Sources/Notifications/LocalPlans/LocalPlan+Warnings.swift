public import FoundationEssentials
public import JSON

extension LocalPlan {
    /// Findings at `date` that iOS accepts but a person should know; `zone` is that of most devices.
    public func warnings(at date: Date, in zone: TimeZone) -> [Problem] {
        let perNotification = notifications.enumerated().flatMap { index, notification in
            let ended = notification.next(after: date, in: zone) == .never ? [Self.ended] : []
            return (ended + notification.warnings).map { $0.inside("\(Key.notifications.rawValue)[\(index)]") }
        }
        return perNotification + tooManyRegions
    }

    private static let ended = Problem.warning(
        LocalNotification.Key.trigger.rawValue, "never-fires", "never fires: its time has passed")

    private var tooManyRegions: [Problem] {
        let count = notifications.count { $0.trigger.isRegion }
        guard count > Self.maximumRegions else { return [] }
        return [
            .warning(
                Key.notifications.rawValue, "too-many-regions",
                "has \(count) regions: a device monitors at most \(Self.maximumRegions) per app")
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
