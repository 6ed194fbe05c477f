public import JSON
import Notifications

/// The maximum number of pushes to one device in a number of days, over all campaigns of an app.
/// Docs/decisions/planning.md explains how the cap is evaluated and why its days are short.
public struct FrequencyCap: Hashable, Sendable {
    public let count: Int
    public let days: Int

    public static let counts = 1...100
    public static let dayRange = 1...90

    /// Nil outside the ranges.
    public init?(count: Int, days: Int) {
        guard Self.counts.contains(count), Self.dayRange.contains(days) else { return nil }
        self.count = count
        self.days = days
    }

    /// Seconds around a push in which other pushes count. Slightly less than the days: a push that is sent every day at
    /// nine is sometimes a few minutes early, and an hour early when the clocks go forward.
    public var window: Int { days * 86_400 - Self.slack }

    private static let slack = 5_400

    /// "3 pushes in 7 days".
    public var summary: Message {
        switch (count == 1, days == 1) {
        case (true, true): "\(count) push in one day"
        case (true, false): "\(count) push in \(days) days"
        case (false, true): "\(count) pushes in one day"
        case (false, false): "\(count) pushes in \(days) days"
        }
    }
}

extension FrequencyCap {
    private enum Key: String, MemberName {
        case count, days
    }

    /// Reads `{"count":3,"days":7}`.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the frequency cap") { FrequencyCap(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.count, Key.days)
        count = reader.whole(Key.count, in: Self.counts) ?? Self.counts.lowerBound
        days = reader.whole(Key.days, in: Self.dayRange) ?? Self.dayRange.lowerBound
    }

    public var json: JSON {
        [Key.count.rawValue: .number(JSON.Number(count)), Key.days.rawValue: .number(JSON.Number(days))]
    }
}
