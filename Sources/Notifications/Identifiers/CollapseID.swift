public import JSON

/// The `apns-collapse-id` header: a notification replaces an earlier one with the same id on the device.
public struct CollapseID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Apple's limit, in bytes.
    public static let maximumSize = 64

    /// Accepts printable ASCII without a space at either end, which HTTP headers transport unchanged.
    public init(_ text: String) throws(InvalidValue) {
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty; omit it instead") }
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
