public import JSON

/// Where the phone loads an attachment from. iOS refuses what is not encrypted, unless an app has asked otherwise.
public struct MediaURL: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// In bytes; it goes into a payload of 4096.
    public static let maximumSize = 2_000

    public init(_ text: String) throws(InvalidValue) {
        guard text.utf8.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes, not \(text.utf8.count)")
        }
        let scheme = "https://"
        guard text.prefix(scheme.count).lowercased() == scheme else {
            throw InvalidValue("not-https", "must be an address that begins with https://")
        }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.hasPrefix(":") else {
            throw InvalidValue("no-host", "must name a host, like https://example.com/image.png")
        }
        guard !authority.contains("@") else {
            throw InvalidValue("has-credentials", "must not hold a user name or password: each phone would show them")
        }
        guard text.utf8.allSatisfy(Self.allows) else {
            throw InvalidValue(
                "bad-character", "must hold neither spaces nor letters beyond ASCII: write them as %20 and the like")
        }
        self.text = text
    }

    public var description: String { text }

    /// RFC 3986 §2: printable ASCII without the delimiters of the text around it.
    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}
