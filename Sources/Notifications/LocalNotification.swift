/// A notification that the app schedules on the phone itself (UNNotificationRequest).
public struct LocalNotification: Sendable, Equatable {
    /// Unique in its plan. A request replaces an earlier one of the same identifier.
    public var identifier: String
    public var trigger: LocalTrigger
    public var content: LocalNotificationContent

    public init(identifier: String, trigger: LocalTrigger, content: LocalNotificationContent) {
        self.identifier = identifier
        self.trigger = trigger
        self.content = content
    }
}

extension LocalNotification {
    enum Key: String {
        case identifier
        case trigger
        case content
    }

    init(_ reader: inout ObjectReader, isTimeZone: (String) -> Bool) {
        reader.require(Key.identifier, Key.trigger, Key.content)
        self.init(
            identifier: reader.value(Key.identifier, ClientName.check) ?? "",
            trigger: reader.closedObject(Key.trigger) { LocalTrigger(&$0, isTimeZone: isTimeZone) } ?? .unreadable,
            content: reader.closedObject(Key.content) { LocalNotificationContent(&$0) } ?? LocalNotificationContent())
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.trigger, trigger.json)
        members.append(Key.content, content.json)
        return .object(members)
    }

    /// What an app needs to make its UNNotificationRequest. The identifier is the plan's and this one's, because two
    /// plans may have the same.
    public func appJSON(inPlan plan: String) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string("\(plan)/\(identifier)"))
        members.append(Key.trigger, trigger.json)
        members.append(Key.content, content.appJSON)
        return .object(members)
    }

    /// What iOS accepts and a person should know.
    var warnings: [Problem] {
        content.warnings.map { $0.inside(Key.content.rawValue) }
    }
}
