public import JSON

/// The URL of an attachment. iOS requires HTTPS unless an app has opted out.
public struct MediaURL: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// In bytes; it is part of a payload of at most 4,096.
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
            throw InvalidValue(
                "has-credentials", "must not contain a user name or password: every device would get them")
        }
        guard Self.hasValidPort(authority) else {
            throw InvalidValue("bad-port", "must have a port from 1 to 65535 after the host, or none")
        }
        guard text.utf8.allSatisfy(Self.allows) else {
            throw InvalidValue(
                "bad-character", "must not contain spaces or non-ASCII characters: percent-encode them, like %20")
        }
        self.text = text
    }

    public var description: String { text }

    /// The colons of an IPv6 address are in brackets.
    private static func hasValidPort(_ authority: Substring) -> Bool {
        let rest = authority.lastIndex(of: "]").map { authority[authority.index(after: $0)...] } ?? authority
        guard let colon = rest.lastIndex(of: ":") else { return true }
        let digits = rest[rest.index(after: colon)...]
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (1...65_535).contains(Int(digits) ?? 0)
    }

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
