import Campaigns
import Postgres

extension Timestamp {
    var instant: Instant { Instant(microseconds: microseconds) }

    init(_ instant: Instant) { self.init(microseconds: instant.microseconds) }
}
