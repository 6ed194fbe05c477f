import Foundation

/// Decides which local notifications to add and to remove, so that those that did not change keep running: scheduling
/// an interval again would restart it. Stored as a file.
///
/// iOS keeps the 64 soonest pending notifications of an app and forgets the others without a word, so the kit never adds
/// more than fit beside the app's own.
public struct PlanSchedule: Codable, Sendable {
    /// Pending notifications that iOS keeps.
    public static let systemLimit = 64
    /// In front of the identifiers of the kit's requests: others are never touched.
    public static let prefix = "belfry.plan."

    /// The notifications scheduled by the last update, by request identifier.
    private var scheduled: [String: PlannedNotification] = [:]
    /// The app's version then: another one is an update.
    private var appVersion: String?
    /// The zone in which calendar times were scheduled.
    private var timeZone: String?

    /// Nothing has been scheduled.
    public init() {}

    /// Calls to `UNUserNotificationCenter`: remove first, then add.
    public struct Changes: Sendable {
        /// Identifiers of requests, in no order.
        public var removed: [String] = []
        /// New and changed notifications.
        public var added: [Addition] = []
        /// The kit's notifications that are pending afterwards.
        public var pending = 0
        /// Those that do not fit.
        public var omitted = 0
    }

    /// A notification to schedule.
    public struct Addition: Sendable {
        /// The identifier of the `UNNotificationRequest`. Adding it replaces a pending one.
        public let requestIdentifier: String
        /// The trigger and the content.
        public let notification: PlannedNotification
    }

    /// The present state of the device.
    public struct Device: Sendable {
        /// The identifiers of all pending requests, the app's own as well.
        public let pending: Set<String>
        /// The identifier, like `Europe/Vienna`.
        public let timeZone: String
        /// `CFBundleVersion`: another one is an update of the app.
        public let appVersion: String
        /// Notifications that end are removed then.
        public let date: Date
        /// Places that the app wants for its own notifications, at least; those that are pending count in any case.
        public let reserved: Int

        /// Ask iOS for `pending` immediately before.
        public init(
            pending: Set<String>, timeZone: String, appVersion: String, reserved: Int = 0, at date: Date = Date()
        ) {
            self.date = date
            self.pending = pending
            self.timeZone = timeZone
            self.appVersion = appVersion
            self.reserved = reserved
        }
    }

    /// iOS has not taken these additions, so they are tried again. Without it, an interval that is not pending counts as
    /// shown.
    mutating func failed(_ requestIdentifiers: Set<String>) {
        for id in requestIdentifiers { scheduled[id] = nil }
    }

    /// The changes to make in iOS, which the schedule takes for done.
    mutating func update(to list: PlanList, on device: Device) -> Changes {
        var changes = Changes(omitted: list.omittedCount)
        var own: [String] = []
        for id in device.pending where id.hasPrefix(Self.prefix) { own.append(id) }
        let foreign = device.pending.count - own.count
        let places = max(0, Self.systemLimit - max(foreign, device.reserved))
        let hasMoved = timeZone != nil && timeZone != device.timeZone
        let isUpdated = appVersion != nil && appVersion != device.appVersion
        let zone = TimeZone(identifier: device.timeZone) ?? .current
        var next: [String: PlannedNotification] = [:]
        for notification in list.notifications {
            let id = Self.prefix + notification.identifier
            guard next[id] == nil else { continue }
            let isSame = scheduled[id]?.isSame(as: notification) == true
            let isPending = device.pending.contains(id)
            let wait = isSame && isPending ? 0 : notification.trigger.delay
            guard !notification.hasEnded(at: device.date + wait, in: zone) else { continue }
            let isKept: Bool
            switch notification.trigger {
            case .unknown: continue
            // Without an update there is nothing to wait for.
            case .appUpdate where !isUpdated && !isPending: continue
            case .appUpdate: isKept = isSame && !isUpdated
            // Calendar times without a zone are the device's: iOS keeps those it has in the old one. The server leaves out
            // what is past, so a time that is not pending was removed by the app.
            case .calendar(_, let zone, _): isKept = isSame && isPending && !(hasMoved && zone == nil)
            case .interval(_, let repeats), .region(_, let repeats):
                isKept = isSame && isPending
                // It was shown: iOS says so by not having it any more.
                if isSame, !isPending, !repeats {
                    next[id] = notification
                    continue
                }
            }
            guard changes.pending < places else {
                changes.omitted += 1
                continue
            }
            changes.pending += 1
            next[id] = notification
            if !isKept { changes.added.append(Addition(requestIdentifier: id, notification: notification)) }
        }
        changes.removed = own.filter { next[$0] == nil }
        scheduled = next
        timeZone = device.timeZone
        appVersion = device.appVersion
        return changes
    }
}
