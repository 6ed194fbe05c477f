public import JSON

/// An app's bundle identifier, like `com.example.Shop`.
public struct BundleID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Apple's limit (App Store Connect), in bytes.
    public static let maximumSize = 155

    /// Accepts ASCII letters, digits, hyphens, and dots between other characters (Apple, `CFBundleIdentifier`).
    public init(_ pasted: String) throws(InvalidValue) {
        let text = pasted.withoutPastedMarks
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty; it looks like com.example.Shop") }
        guard text.utf8.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes, not \(text.utf8.count)")
        }
        guard text.utf8.allSatisfy(Self.allows) else {
            throw InvalidValue(
                "bad-character",
                "must consist of the letters A to Z and a to z, digits, hyphens and dots, with no space")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw InvalidValue("bad-dot", "must not begin or end with a dot, or contain two dots in a row")
        }
        self.text = text
    }

    public var description: String { text }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
