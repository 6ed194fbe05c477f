/// A moment, in microseconds since 1970-01-01 00:00 UTC, as people and programs write it: "2026-11-21T10:00:00.000Z"
/// (RFC 3339 §5.6).
public struct Instant: Hashable, Comparable, Sendable {
    public var microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// In UTC, to the millisecond.
    public var rfc3339: String {
        // Rounds down before 1970, too.
        let milliseconds = microseconds >= 0 ? microseconds / 1_000 : (microseconds + 1) / 1_000 - 1
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let digits = String(fraction + 1_000).dropFirst()
        return "\(RFC3339.localText(Int((milliseconds - fraction) / 1_000))).\(digits)Z"
    }

    /// As `RFC3339` reads it.
    public init?(rfc3339 text: String) {
        guard let time = RFC3339(text) else { return nil }
        self.init(microseconds: Int64(time.seconds) * 1_000_000 + Int64(time.microseconds))
    }
}
