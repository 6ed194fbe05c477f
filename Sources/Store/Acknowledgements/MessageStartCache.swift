import Campaigns
import EventLoop
import Postgres

/// When messages were sent at the earliest, remembered, so that checking the time of an event usually costs no query. A
/// message's start never changes.
final class MessageStartCache: Sendable {
    /// The maximum number of remembered messages; at more, all are dropped.
    static let capacity = 20_000

    struct Key: Hashable {
        let app: Int64
        let messageNumber: Int64
    }

    private let known = Lock<[Key: Timestamp]>([:])

    /// The starts of the messages. A message that does not exist any more is missing.
    func starts(of messages: Set<Key>, pool: PostgresPool, deadline: Duration) async throws -> [Key: Timestamp] {
        var starts: [Key: Timestamp] = [:]
        var unknown: [Key] = []
        known.withLock { known in
            for message in messages {
                if let start = known[message] { starts[message] = start } else { unknown.append(message) }
            }
        }
        guard !unknown.isEmpty else { return starts }
        let rows = try await pool.query(
            """
            SELECT m.app_id, m.number, coalesce(r.started_at, b.due_at)
            FROM unnest(\(unknown.map(\.app)), \(unknown.map(\.messageNumber))) AS m (app_id, number)
            LEFT JOIN runs r ON r.message_number = m.number AND r.app_id = m.app_id
            LEFT JOIN batches b ON b.message_number = m.number AND b.app_id = m.app_id
            WHERE coalesce(r.started_at, b.due_at) IS NOT NULL
            """, deadline: deadline)
        var read: [Key: Timestamp] = [:]
        for row in rows { read[Key(app: try row[0], messageNumber: try row[1])] = try row[2] }
        known.withLock { known in
            if known.count + read.count > Self.capacity { known.removeAll() }
            known.merge(read) { _, new in new }
        }
        return starts.merging(read) { _, new in new }
    }
}
