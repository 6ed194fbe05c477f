public import JSON
import Notifications

/// The days after which an app's raw data are deleted; nil: never. Totals stay.
public struct RetentionPolicy: Hashable, Sendable {
    /// Repeated events are refused after 30 days, so a deleted event can't be counted again.
    public static let eventDays = 31...3_650
    public static let replyDays = 1...3_650
    /// Frequency caps look back at most 90 days.
    public static let recipientDays = 91...3_650
    /// Repeated events are refused after 30 days here, too.
    public static let customEventDays = 31...3_650

    public var eventDays: Int?
    public var replyDays: Int?
    public var recipientDays: Int?
    public var customEventDays: Int?

    public static let forever = RetentionPolicy()

    public init(
        eventDays: Int? = nil, replyDays: Int? = nil, recipientDays: Int? = nil, customEventDays: Int? = nil
    ) {
        self.eventDays = eventDays
        self.replyDays = replyDays
        self.recipientDays = recipientDays
        self.customEventDays = customEventDays
    }
}

extension RetentionPolicy {
    private enum Key: String, MemberName {
        case eventDays = "event_days"
        case replyDays = "reply_days"
        case recipientDays = "recipient_days"
        case customEventDays = "custom_event_days"
    }

    /// Reads `{"event_days":365,"reply_days":null}`: null means for ever, and absent members stay as they are in
    /// `current`.
    public init(json: JSON, changing current: RetentionPolicy) throws(Problems) {
        self = try ObjectReader.document(json, named: "the retention") { reader in
            var policy = current
            policy.read(&reader, .eventDays, Self.eventDays, \.eventDays)
            policy.read(&reader, .replyDays, Self.replyDays, \.replyDays)
            policy.read(&reader, .recipientDays, Self.recipientDays, \.recipientDays)
            policy.read(&reader, .customEventDays, Self.customEventDays, \.customEventDays)
            return policy
        }
    }

    private mutating func read(
        _ reader: inout ObjectReader, _ key: Key, _ range: ClosedRange<Int>, _ path: WritableKeyPath<Self, Int?>
    ) {
        if reader.takeNull(key) { self[keyPath: path] = nil }
        if let days = reader.whole(key, in: range) { self[keyPath: path] = days }
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.eventDays, eventDays.map { .number(JSON.Number($0)) } ?? .null)
        members.append(Key.replyDays, replyDays.map { .number(JSON.Number($0)) } ?? .null)
        members.append(Key.recipientDays, recipientDays.map { .number(JSON.Number($0)) } ?? .null)
        members.append(Key.customEventDays, customEventDays.map { .number(JSON.Number($0)) } ?? .null)
        return .object(members)
    }
}
