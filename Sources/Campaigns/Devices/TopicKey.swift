public import JSON
import Notifications

/// What an app's people may opt out of, such as `offers`, by the key that the app's code knows. It never changes.
public struct TopicKey: Hashable, Sendable {
    /// Characters.
    public static let maximumLength = 64

    public let text: String

    /// Takes small letters, digits, `_`, `.` and `-`, and begins with a letter or digit.
    public init(_ text: String) throws(InvalidValue) {
        guard Self.isKey(text) else {
            throw InvalidValue(
                "not-a-topic-key",
                "must be 1 to \(Self.maximumLength) small letters, digits, dots, dashes and underscores, and begin with "
                    + "a letter or digit, like \"offers\"")
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
