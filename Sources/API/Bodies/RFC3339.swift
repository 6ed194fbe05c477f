import Campaigns
import Postgres

/// Times as the API writes them: "2026-11-21T10:00:00.000Z" (RFC 3339 §5.6).
extension Timestamp {
    /// In UTC, to the millisecond.
    var rfc3339: String { Instant(microseconds: microseconds).rfc3339 }

    /// As `Instant` reads it.
    init?(rfc3339 text: String) {
        guard let instant = Instant(rfc3339: text) else { return nil }
        self.init(microseconds: instant.microseconds)
    }
}
