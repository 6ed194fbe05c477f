import Campaigns
import Postgres

/// Times as the API writes them: "2026-11-21T10:00:00.000Z" (RFC 3339 §5.6).
extension Timestamp {
    /// In UTC, to the millisecond.
    var rfc3339: String {
        // Downwards before 1970 too.
        let milliseconds = microseconds >= 0 ? microseconds / 1_000 : (microseconds + 1) / 1_000 - 1
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        let digits = String(fraction + 1_000).dropFirst()
        return "\(RFC3339.localText(Int((milliseconds - fraction) / 1_000))).\(digits)Z"
    }

    /// With any offset, for the years 1970 to 9999. Digits beyond the microsecond are dropped, and a leap second is the
    /// second after it. Nil for everything else.
    init?(rfc3339 text: String) {
        guard let time = RFC3339(text) else { return nil }
        self.init(microseconds: Int64(time.seconds) * 1_000_000 + Int64(time.microseconds))
    }
}
