public import JSON

/// The address with which a person signs in, in lower case. It is a name only: nothing is sent to it.
public struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Bytes (RFC 5321 §4.5.3.1.3).
    public static let maximumSize = 254

    /// Accepts what has one "@" between two parts without spaces. Stricter rules refuse addresses that exist.
    public init(_ text: String) throws(InvalidValue) {
        let text = text.lowercased()
        guard text.utf8.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes")
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            text.unicodeScalars.allSatisfy({ !$0.isUnsafeInNames && !$0.isInvisible })
        else { throw InvalidValue("not-an-email", "must be an e-mail address, like mina@example.com") }
        self.text = text
    }

    public var description: String { text }
}
