import Campaigns
import EventLoop
import Postgres

/// A variant of a run, or a group of transactional pushes, as far as it matters for its events.
struct SentMessage: Hashable {
    /// Nothing was sent earlier.
    let start: Timestamp
    /// Nil for transactional pushes.
    let run: Int64?
    /// Of the run, from 0.
    let variant: Int16
    /// 0 for transactional pushes.
    let campaign: Int64
    /// Its recipients were due at different times: in their local time, or after their quiet hours.
    let hasSeveralDueTimes: Bool
}

/// The properties of messages, cached so that events usually need no query. They don't change, except that a demo moves
/// its runs before it starts.
final class MessageCache: Sendable {
    /// The maximum number of remembered messages; at more, all are dropped.
    static let capacity = 20_000

    struct Key: Hashable {
        let app: Int64
        let messageNumber: Int64
    }

    private let known = Lock<[Key: SentMessage]>([:])

    /// Test pushes, which are not recorded, and messages of deleted runs are missing. Messages whose events were
    /// dropped have a start that is too long ago: no partition takes their events.
    func messages(_ keys: Set<Key>, pool: PostgresPool, deadline: Duration) async throws -> [Key: SentMessage] {
        var messages: [Key: SentMessage] = [:]
        var unknown: [Key] = []
        known.withLock { known in
            for key in keys {
                if let message = known[key] { messages[key] = message } else { unknown.append(key) }
            }
        }
        guard !unknown.isEmpty else { return messages }
        let rows = try await pool.query(
            """
            SELECT * FROM (
                SELECT m.app_id, m.number,
                    CASE WHEN EXISTS (
                        SELECT FROM message_ranges
                        WHERE m.number BETWEEN first_number AND last_number AND has_events
                    ) THEN coalesce(r.started_at, b.due_at) ELSE to_timestamp(0) END AS start,
                    r.id AS run_id, coalesce(v.variant, 0::smallint) AS variant, coalesce(r.campaign_id, 0) AS campaign_id,
                    coalesce(r.occurrence ->> 'kind' = 'local' OR r.quiet_hours IS NOT NULL, false) AS has_several
                FROM unnest(\(unknown.map(\.app)), \(unknown.map(\.messageNumber))) AS m (app_id, number)
                LEFT JOIN run_variants v ON v.message_number = m.number AND v.app_id = m.app_id
                LEFT JOIN runs r ON r.app_id = v.app_id AND r.id = v.run_id
                LEFT JOIN batches b ON b.message_number = m.number AND b.app_id = m.app_id
            ) AS m
            WHERE start IS NOT NULL
            """, deadline: deadline)
        var read: [Key: SentMessage] = [:]
        for row in rows {
            read[Key(app: try row[0], messageNumber: try row[1])] = SentMessage(
                start: try row["start"], run: try row["run_id"], variant: try row["variant"],
                campaign: try row["campaign_id"],
                hasSeveralDueTimes: try row["has_several"])
        }
        known.withLock { known in
            if known.count + read.count > Self.capacity { known.removeAll() }
            known.merge(read) { _, new in new }
        }
        return messages.merging(read) { _, new in new }
    }
}
