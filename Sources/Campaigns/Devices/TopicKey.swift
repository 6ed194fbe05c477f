public import JSON
import Notifications

/// The key of a topic that users of an app can opt out of, such as `offers`. The app's code uses it; it never changes.
public struct TopicKey: Hashable, Sendable {
    /// Characters.
    public static let maximumLength = 64

    public let text: String

    /// Accepts lower-case letters, digits, `_`, `.` and `-`, and begins with a letter or digit.
    public init(_ text: String) throws(InvalidValue) {
        guard Self.isKey(text) else {
            throw InvalidValue(
                "not-a-topic-key",
                "must be 1 to \(Self.maximumLength) lower-case letters, digits, dots, dashes and underscores, and "
                    + "begin with a letter or digit, like \"offers\"")
        }
        self.text = text
    }

    private static func isKey(_ text: String) -> Bool {
        guard 1...maximumLength ~= text.utf8.count, let first = text.utf8.first, isLetterOrDigit(first) else {
            return false
        }
        return text.utf8.allSatisfy {
            isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
