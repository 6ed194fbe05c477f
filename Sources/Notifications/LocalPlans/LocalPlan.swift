public import JSON

/// Local notifications that an app fetches and schedules, so that they appear without a push.
public struct LocalPlan: Sendable, Equatable {
    /// Unique in the app. Not part of `json`, but of the identifier of each request on the device.
    public var identifier: String
    /// Of the stored plan, from 1. Not part of `json` either: an event tells by it which text a person saw.
    public var version: Int
    public var notifications: [LocalNotification]

    /// The most local notifications that iOS stores per app.
    public static let maximumNotifications = 64
    /// The regions that a device monitors per app (Apple, "Monitoring the user's proximity to geographic regions").
    public static let maximumRegions = 20

    public init(identifier: String, version: Int = 1, notifications: [LocalNotification]) {
        self.identifier = identifier
        self.version = version
        self.notifications = notifications
    }
}

extension LocalPlan {
    enum Key: String, MemberName {
        case notifications
    }

    /// Throws all problems that would prevent an app from scheduling it.
    public init(identifier: String, version: Int = 1, json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the plan") { LocalPlan(identifier, version, &$0) }
    }

    private init(_ identifier: String, _ version: Int, _ reader: inout ObjectReader) {
        self.identifier = identifier
        self.version = version
        reader.require(Key.notifications)
        Self.refuseCount(&reader)
        Self.refuseDuplicates(&reader)
        notifications =
            reader.closedObjects(Key.notifications) { LocalNotification(&$0) } ?? []
    }

    private static func refuseCount(_ reader: inout ObjectReader) {
        let count = reader.elements(of: Key.notifications).count
        guard count > maximumNotifications else { return }
        reader.refuse(
            Key.notifications, "too-many",
            "must contain at most \(maximumNotifications), not \(count): a device stores no more per app")
    }

    private static func refuseDuplicates(_ reader: inout ObjectReader) {
        var seen: Set<String> = []
        for (index, notification) in reader.elements(of: Key.notifications).enumerated() {
            guard case .string(let text) = notification[LocalNotification.Key.identifier.rawValue] else { continue }
            guard !seen.insert(text).inserted else { continue }
            reader.refuse(
                at: ProblemPath.element(index, of: Key.notifications.rawValue) + ".identifier", "duplicate-identifier",
                "must be different from the identifiers before it: the notification would replace the earlier one")
        }
    }

    public var json: JSON {
        [Key.notifications.rawValue: .array(notifications.map(\.json))]
    }
}
