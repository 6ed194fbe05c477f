public import JSON

/// Local notifications that an app fetches and schedules, so that they come without a push.
public struct LocalPlan: Sendable, Equatable {
    /// Who keeps the plan gives it: unique in the app, no part of `json`, a part of each request's identifier on the
    /// phone.
    public var identifier: String
    public var notifications: [LocalNotification]

    /// What iOS keeps of one app.
    public static let maximumNotifications = 64
    /// The regions of one app that a phone watches (Apple, "Monitoring the user's proximity to geographic regions").
    public static let maximumRegions = 20

    public init(identifier: String, notifications: [LocalNotification]) {
        self.identifier = identifier
        self.notifications = notifications
    }
}

extension LocalPlan {
    enum Key: String, MemberName {
        case notifications
    }

    /// Refuses what an app could not schedule, all at once. `isTimeZone` knows the names that are known here.
    public init(identifier: String, json: JSON, isTimeZone: (String) -> Bool) throws(Problems) {
        self = try ObjectReader.document(json, named: "the plan") { LocalPlan(identifier, &$0, isTimeZone) }
    }

    private init(_ identifier: String, _ reader: inout ObjectReader, _ isTimeZone: (String) -> Bool) {
        self.identifier = identifier
        reader.require(Key.notifications)
        Self.refuseCount(&reader)
        Self.refuseTwice(&reader)
        notifications =
            reader.closedObjects(Key.notifications) { LocalNotification(&$0, isTimeZone: isTimeZone) } ?? []
    }

    private static func refuseCount(_ reader: inout ObjectReader) {
        let count = reader.elements(of: Key.notifications).count
        guard count > maximumNotifications else { return }
        reader.refuse(
            Key.notifications, "too-many",
            "must be at most \(maximumNotifications), not \(count): a phone keeps no more of one app")
    }

    private static func refuseTwice(_ reader: inout ObjectReader) {
        var seen: Set<String> = []
        for (index, notification) in reader.elements(of: Key.notifications).enumerated() {
            guard case .string(let text) = notification[LocalNotification.Key.identifier.rawValue] else { continue }
            guard !seen.insert(text).inserted else { continue }
            reader.refuse(
                at: ProblemPath.element(index, of: Key.notifications.rawValue) + ".identifier", "identifier-twice",
                "must not be the same as that of one before it, which it would replace")
        }
    }

    public var json: JSON {
        [Key.notifications.rawValue: .array(notifications.map(\.json))]
    }
}
