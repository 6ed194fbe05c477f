import Campaigns
import Postgres

extension LastAnswer {
    /// From the columns last_answer and last_answered_at of a batch; nil without an answer.
    init?(_ row: PostgresRow) throws {
        guard let reason: String = try row["last_answer"] else { return nil }
        let at: Timestamp = try row["last_answered_at"]
        self.init(reason: reason, at: Instant(microseconds: at.microseconds))
    }

    /// The columns for a pending recipient of the batch, which has this name in the query. One answer concerns single
    /// devices, and only a batch of deferred recipients consists of such alone; all others concern everybody.
    static func columns(of batch: PostgresQuery) -> PostgresQuery {
        """
        CASE WHEN \(batch).deferred_from IS NOT NULL OR \(batch).last_answer <> 'TooManyRequests'
            THEN \(batch).last_answer END AS last_answer,
            \(batch).last_answered_at
        """
    }
}
