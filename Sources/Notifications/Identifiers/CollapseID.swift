public import JSON

/// The `apns-collapse-id` header: on the screen, the newer of two pushes with the same one replaces the older.
public struct CollapseID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Apple's limit, in bytes.
    public static let maximumSize = 64

    /// Takes printable ASCII with no space at either end: what passes every HTTP header unharmed.
    public init(_ text: String) throws(InvalidValue) {
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty; leave it out instead") }
        guard text.utf8.count <= Self.maximumSize else {
            throw InvalidValue(
                "too-long", "must be at most \(Self.maximumSize) bytes of UTF-8, not \(text.utf8.count)")
        }
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.first != 0x20, text.utf8.last != 0x20
        else {
            throw InvalidValue(
                "not-printable-ascii",
                "must consist of printable ASCII characters, with no space at the beginning or the end")
        }
        self.text = text
    }

    public var description: String { text }
}
