public import JSON
import Notifications

/// A version like 4.2, compared part by part: 4.10 is greater than 4.9, and 4.2 equals 4.2.0.
public struct AudienceVersion: Hashable, Sendable {
    /// Bytes.
    public static let maximumLength = 64
    public static let maximumParts = 32
    /// Of one part: it fits into 64 bits.
    public static let maximumDigits = 18

    /// Without a v before it.
    public let text: String

    public init(_ given: String) throws(InvalidValue) {
        let text = VersionSpelling.canonical(given)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { part in
            1...Self.maximumDigits ~= part.utf8.count
                && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }
        guard areNumbers, parts.count <= Self.maximumParts, text.utf8.count <= Self.maximumLength else {
            throw InvalidValue("not-a-version", "must be a version, numbers with dots between them, like \"4.2\"")
        }
        self.text = text
    }

    /// Without trailing zeros; empty for 0.
    public var parts: [Int64] {
        let parts = text.split(separator: ".").map { Int64($0) ?? 0 }
        return Array(parts.prefix((parts.lastIndex { $0 != 0 } ?? -1) + 1))
    }
}
