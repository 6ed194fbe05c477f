public import JSON

/// A part of an app's people who get no campaigns for a while, so that one sees what all campaigns together cause. After
/// each period it is the turn of others.
public struct GlobalControl: Hashable, Sendable {
    /// In thousandths of the people.
    public let share: Int
    /// The length of a period.
    public let days: Int
    /// The custom event by which the people are compared.
    public let eventName: String

    public static let shareRange = 10...200
    public static let dayRange = 30...90
    /// Days at the beginning of a period in which nobody is counted: what people were sent before still has an effect.
    public static let washoutDays = 7
    /// Events are counted that arrive so many seconds after the end of a period.
    public static let lateSeconds = 2 * 86_400

    public init(share: Int, days: Int, eventName: String) {
        (self.share, self.days, self.eventName) = (share, days, eventName)
    }
}

extension GlobalControl {
    private enum Key: String, MemberName {
        case share, days
        case eventName = "event_name"
    }

    /// Reads `{"share": 50, "days": 90, "event_name": "purchase"}`.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the global control group") { GlobalControl(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.share, Key.eventName)
        share = reader.whole(Key.share, in: Self.shareRange) ?? Self.shareRange.lowerBound
        days = reader.whole(Key.days, in: Self.dayRange) ?? Self.dayRange.upperBound
        eventName = reader.text(Key.eventName, length: 1...AudienceCustomEvent.maximumNameLength) ?? ""
    }

    public var json: JSON {
        [
            Key.share.rawValue: .number(JSON.Number(share)), Key.days.rawValue: .number(JSON.Number(days)),
            Key.eventName.rawValue: .string(eventName),
        ]
    }
}
