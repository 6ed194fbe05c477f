import Foundation

/// The server's rules for events of the app's own. Bad events are told at the call: the server would refuse them later,
/// when nobody sees any more which line of the app sent them.
public enum TrackingRules {
    /// Bytes of a name in UTF-8, and of a property's name.
    public static let nameLengths = 1...100
    /// Properties of an event.
    public static let maximumProperties = 50
    /// Bytes of the properties as JSON.
    public static let maximumPropertiesSize = 1_024
    /// The largest value, in both directions.
    public static let maximumValue: Double = 999_999_999_999

    /// Why the server would refuse an event; nil if it would not. `now` is the time of the call.
    static func fault(
        _ name: String, _ value: Double?, _ properties: [String: JSONValue], at date: Date, now: Date
    ) -> String? {
        guard isName(name) else { return wrongName }
        if let value, !(value.magnitude <= maximumValue) {
            return "Its value must be a number from -999999999999 to 999999999999."
        }
        guard now.timeIntervalSince(date) <= EventBatch.longestDelay else {
            return "It must not have happened more than 30 days ago."
        }
        return fault(properties)
    }

    private static func fault(_ properties: [String: JSONValue]) -> String? {
        guard properties.count <= maximumProperties else { return "It must have at most 50 properties." }
        for (name, value) in properties {
            guard isName(name) else { return wrongName }
            guard value.isScalar else { return "The property \(name) must be text, a finite number, true or false." }
        }
        let encoder = JSONEncoder()
        // The server counts a slash as one byte.
        encoder.outputFormatting = .withoutEscapingSlashes
        let size = (try? encoder.encode(JSONValue.object(properties)).count) ?? .max
        guard size <= maximumPropertiesSize else {
            return "Its properties must be at most 1024 bytes of JSON, not \(size)."
        }
        return nil
    }

    private static let wrongName =
        "Its name and those of its properties must be text of 1 to 100 bytes without control characters."

    private static func isName(_ name: String) -> Bool {
        // The server counts composed characters. It refuses a few more characters, which no programmer types.
        nameLengths ~= name.precomposedStringWithCanonicalMapping.utf8.count
            && name.utf8.allSatisfy { $0 >= UInt8(ascii: " ") && $0 != 0x7F }
            && !name.trimmingCharacters(in: .whitespaces).isEmpty
    }
}

extension JSONValue {
    /// True for a value that an event's property can have. Null is the same as no property; JSON has no infinite numbers.
    fileprivate var isScalar: Bool {
        switch self {
        case .null, .bool, .integer, .string: true
        case .number(let number): number.isFinite
        case .array, .object: false
        }
    }
}
