import Foundation

open class UNNotificationTrigger: NSObject {
    public let repeats: Bool

    fileprivate init(repeats: Bool) { self.repeats = repeats }
}

open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    public let timeInterval: TimeInterval

    /// Apple's raises an exception for an interval that is not positive, and for one that repeats within a minute.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0 && (!repeats || timeInterval >= 60))
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    open func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }
}

open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    open func nextTriggerDate() -> Date? {
        let calendar = dateComponents.calendar ?? Calendar.current
        return calendar.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
    }
}

/// The trigger of a push. Apple's has no public initializer.
open class UNPushNotificationTrigger: UNNotificationTrigger {
    /// Stub only.
    public init(stub repeats: Bool = false) { super.init(repeats: repeats) }
}
