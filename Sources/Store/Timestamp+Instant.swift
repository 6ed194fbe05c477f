import Campaigns
import Postgres

extension Timestamp {
    init(_ instant: Instant) { self.init(microseconds: instant.microseconds) }
}
